/** @import {Json, Link, Result, Settings} from "./types.js" */
import { make, settingsOf } from "./dom.js";
import { createView, questionIn } from "./view.js";

// The MCP App (protocol 2026-01-26): JSON-RPC with the host around the frame, and nothing else.

const SCREEN = "dev.fsmvoice/screen";
const settings = /** @type {Settings} */ (settingsOf());
document.documentElement.lang = settings.lang;
/** @type {Map<number, {done: (result: any) => void, failed: (error: Error) => void}>} */
const waiting = new Map();
let count = 0;
/** @type {Json} */
let language = {};
/** @type {Json} */
let host = {};
/** What the model called last, so that a question about it can be answered here. */
let called = { tool: "", label: "", args: /** @type {Json} */ ({}) };

/** @param {Json} message */
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

/**
 * @param {string} method
 * @param {Json} params
 * @returns {Promise<any>}
 */
const request = (method, params) =>
  new Promise((done, failed) => {
    count += 1;
    waiting.set(count, { done, failed });
    post({ id: count, method, params });
  });

/** @type {Link} */
const link = {
  call: async (tool, args) => {
    if (host.serverTools || !host.message) {
      return request("tools/call", { name: tool, arguments: args, _meta: { [SCREEN]: true, ...language } });
    }
    // A host that lets a view call nothing may let it speak for the person.
    const action = view.screen?.actions.find((known) => known.tool === tool);
    const told = [action?.label ?? settings.words.startOver, ...Object.values(args)].join(", ");
    await request("ui/message", { role: "user", content: [{ type: "text", text: told }] });
    return { content: [{ type: "text", text: settings.words.working }] };
  },
  done: (label, args, result) => {
    if (!host.updateModelContext || !result.structuredContent) return;
    const given = Object.entries(args).map(([name, value]) => `${name}: ${value}`);
    const what = given.length ? `${label} (${given.join(", ")})` : label;
    const { say, ok, reason, state } = result.structuredContent;
    const came = ok ? "It was done" : `It was not done (${reason})`;
    const told = `The user tapped "${what}" on the screen. ${came}, and the screen says: ${say}`;
    const data = host.updateModelContext.structuredContent && state ? { structuredContent: { ok, state } } : {};
    request("ui/update-model-context", { content: [{ type: "text", text: told }], ...data }).catch(() => {});
  },
};

const root = make("main");
document.body.append(root);
const view = createView(root, settings, link);

/**
 * Show what the model's call came to. One that came without a screen is followed by a look of our own.
 * @param {Result} result
 */
async function spoken(result) {
  view.show(result, questionIn(result, called));
  const facts = result.structuredContent;
  if (!facts?.state || facts.screen || view.question || !host.serverTools) return;
  const seen = view.screen;
  const args = settings.handles && view.session ? { session: view.session } : {};
  const full = await link.call(settings.status, args).catch(() => undefined);
  const screen = full?.structuredContent?.screen;
  if (full && screen && view.screen === seen && !view.busy) {
    view.show({ ...result, structuredContent: { ...full.structuredContent, say: facts.say, reason: facts.reason } });
  }
}

/** @param {string} locale */
function speakLike(locale) {
  const known = [locale, locale.split("-")[0]].find((tag) => settings.others[tag]);
  if (!known) return;
  Object.assign(settings.words, settings.others[known]);
  document.documentElement.lang = known;
  language = { "dev.fsmvoice/locale": known };
}

/** @param {Json} context */
function dress(context) {
  if (typeof context.locale === "string") speakLike(context.locale);
  const style = document.documentElement.style;
  if (context.theme === "dark" || context.theme === "light") document.documentElement.dataset.theme = context.theme;
  const colours = context.styles?.variables ?? {};
  // Only as a pair: one colour of the host's with one of ours may not be readable.
  const pair = [colours["--color-background-primary"], colours["--color-text-primary"]];
  if (pair.every((colour) => typeof colour === "string")) {
    style.setProperty("--back", pair[0]);
    style.setProperty("--ink", pair[1]);
  }
  if (typeof colours["--font-sans"] === "string") style.setProperty("--font", colours["--font-sans"]);
  const safe = context.safeAreaInsets;
  if (safe) style.setProperty("padding", [safe.top, safe.right, safe.bottom, safe.left].map((n) => `${n}px`).join(" "));
  const info = context.toolInfo?.tool;
  if (info) called = { ...called, tool: info.name, label: info.title ?? info.name };
}

const watch = new ResizeObserver(() => {
  const { scrollWidth: width } = document.documentElement;
  const height = Math.ceil(root.getBoundingClientRect().height);
  post({ method: "ui/notifications/size-changed", params: { width, height } });
});

/** @param {MessageEvent} event */
function heard(event) {
  const message = event.data;
  if (event.source !== parent || message?.jsonrpc !== "2.0") return;
  const { id, method, params = {} } = message;
  if (method === undefined) {
    const pending = waiting.get(id);
    waiting.delete(id);
    if (message.error) pending?.failed(new Error("refused by the host"));
    else pending?.done(message.result);
  } else if (method === "ui/notifications/tool-result") {
    spoken(params);
  } else if (method === "ui/notifications/tool-input") {
    called = { ...called, args: params.arguments ?? {} };
    view.use(params.arguments?.session);
  } else if (method === "ui/notifications/tool-cancelled") {
    view.refuse(settings.words.stopped);
  } else if (method === "ui/notifications/host-context-changed") {
    dress(params);
  } else if (method === "ui/resource-teardown") {
    watch.disconnect();
    removeEventListener("message", heard);
    root.inert = true;
    post({ id, result: {} });
  } else if (method === "ping") {
    post({ id, result: {} });
  } else if (id !== undefined) {
    post({ id, error: { code: -32601, message: "Method not found" } });
  }
}

addEventListener("message", heard);
request("ui/initialize", {
  appInfo: { name: "fsmvoice", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  protocolVersion: "2026-01-26",
}).then(
  (told) => {
    host = told.hostCapabilities ?? {};
    dress(told.hostContext ?? {});
    post({ method: "ui/notifications/initialized", params: {} });
    watch.observe(root);
  },
  () => view.refuse(settings.words.failed),
);
