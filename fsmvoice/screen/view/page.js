/** @import {Json, Link, Result, Settings} from "./types.js" */
import { capital, make, settingsOf, words } from "./dom.js";
import { mcpClient } from "./mcp.js";
import { createPicture } from "./picture.js";
import { canListen, canSpeak, listen, speak } from "./speech.js";
import { createView } from "./view.js";

/**
 * What the page knows beside what every view does.
 * @typedef {Settings & {mcp: string, state: string | null, sessionState: string | null, own: boolean}} PageSettings
 */

const AGAIN = [300, 600, 1200, 2500, 5000];
const POLL = 2000;
const ENTRIES = 200;
const settings = /** @type {PageSettings} */ (settingsOf());
const text = settings.words;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const session = sessionOf();
const meta = {
  "dev.fsmvoice/screen": true,
  "dev.fsmvoice/locale": settings.lang,
  ...(session && { "dev.fsmvoice/session": session }),
};
const mcp = mcpClient(settings.mcp, meta);
/** @type {Link} */
const link = {
  call: (tool, args) => mcp.request("tools/call", { name: tool, arguments: args }),
  done: (label, args, result) => {
    // What was said is in the list already, in the person's own words.
    if (!saying) note("you", asked(label, args));
    came(result, label);
    saying = undefined;
  },
};
const view = createView(part("view"), settings, link);
const picture = createPicture(part("drawn"), part("stands"));
let shown = "";
/** What is being called because it was said. @type {{event: string, args: Json} | undefined} */
let saying;
let again = false;
/** What the machine asked last, so that an answer is understood as one. @type {Json | undefined} */
let open;

/**
 * The session of this page: the one in its address, or where callers share none, one that nobody guesses.
 * @returns {string | undefined}
 */
function sessionOf() {
  const named = new URLSearchParams(location.hash.slice(1)).get("session");
  if (named || !settings.own) return named || undefined;
  const kept = sessionStorage.getItem("session") ?? crypto.randomUUID();
  sessionStorage.setItem("session", kept);
  return kept;
}

/**
 * @param {string} label
 * @param {Json} args
 */
function asked(label, args) {
  /** @param {unknown} value */
  const said = (value) => text[`${value}`] ?? (typeof value === "object" ? JSON.stringify(value) : words(value));
  const values = Object.entries(args).map(([name, value]) => `${words(name)} ${said(value)}`);
  return capital(values.length ? `${label}: ${values.join(", ")}` : label);
}

/**
 * @param {"you" | "machine" | "elsewhere"} who
 * @param {string} told
 */
function note(who, told) {
  const list = part("log-list");
  list.append(make("li", { "data-who": who }, make("strong", {}, `${text[who]}: `), told));
  while (list.childElementCount > ENTRIES) list.firstElementChild?.remove();
  list.scrollTop = list.scrollHeight;
}

/** @param {Result} result */
function stampOf(result) {
  const state = result.structuredContent?.state;
  return state ? JSON.stringify([state.value, state.context, state.revision]) : "";
}

/**
 * Take note of a result that the view shows.
 * @param {Result} result
 * @param {string} [label] - what was done
 */
function came(result, label) {
  const facts = result.structuredContent ?? {};
  shown = stampOf(result) || shown;
  note("machine", facts.say ?? "");
  aloud(facts.say ?? "");
  const tool = view.question?.tool;
  const known = view.screen?.actions.find((action) => (tool ? action.tool === tool : action.label === label));
  const event = saying?.event ?? known?.event;
  if (facts.state) picture.show(facts.state.value, facts.ok ? event : undefined);
  open = undefined;
  if (facts.reason === "needs-confirmation" && view.question) open = { event, payload: view.question.args };
  if (facts.reason === "invalid-arguments" && saying) {
    const { event, args } = saying;
    const action = view.screen?.actions.find((other) => other.event === event);
    const missing = (action?.schema.required ?? []).find((/** @type {string} */ name) => !(name in args));
    if (missing) open = { event, payload: args, parameter: missing };
  }
}

/** Look where the conversation stands, and show it if that is news. */
async function refresh() {
  if (view.busy) {
    again = true;
    return;
  }
  const args = settings.handles && session ? { session } : {};
  const result = await link.call(settings.status, args);
  if (view.busy) {
    again = true;
    return;
  }
  const first = shown === "";
  const stamp = stampOf(result);
  if (!first && stamp === shown) return;
  shown = stamp;
  const facts = result.structuredContent ?? {};
  view.show(result);
  open = undefined;
  note(first ? "machine" : "elsewhere", facts.say ?? "");
  if (facts.state) picture.show(facts.state.value);
}

async function follow() {
  const handle = settings.handles && session ? encodeURIComponent(session) : "";
  const uri = handle ? settings.sessionState?.replace("{session}", handle) : settings.state;
  for (let tries = 0; ; tries += 1) {
    try {
      const changed = () => {
        connected(true);
        tries = 0;
        refresh().catch(() => connected(false));
      };
      if (uri) {
        await mcp.listen(uri, changed);
      } else {
        changed();
        await wait(POLL);
      }
      if (!uri) continue;
    } catch {
      connected(false);
    }
    await wait(AGAIN[Math.min(tries, AGAIN.length - 1)]);
    await renewed().catch(() => connected(false));
  }
}

/** Begin anew if the server has another machine by now. */
async function renewed() {
  const answer = await fetch(location.pathname);
  const found = (await answer.text()).match(/id="settings">(.*)<\/script>/)?.[1];
  if (found !== undefined && JSON.stringify(JSON.parse(found)) !== JSON.stringify(settings)) location.reload();
  await picture.load();
}

/** @param {number} time */
const wait = (time) => new Promise((done) => setTimeout(done, time));

/** @param {boolean} now */
function connected(now) {
  const told = now ? text.connected : text.lost;
  const place = part("link");
  if (place.textContent !== told) place.textContent = told;
  place.dataset.state = now ? "up" : "down";
}

/** @param {string} say */
function aloud(say) {
  if (canSpeak && /** @type {HTMLInputElement} */ (part("aloud")).checked) speak(say, settings.lang);
}

/**
 * What a person said or typed: the server tells what it means here, and then it is called like anything tapped.
 * @param {string} said
 */
async function hear(said) {
  if (!said || view.busy) return;
  note("you", said);
  const question = view.question;
  // One that was left with a tap is open no more.
  const asked = open?.parameter || question ? open : undefined;
  const body = { text: said, locale: settings.lang, session, asked };
  let heard;
  try {
    const answer = await fetch("hear", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    heard = await answer.json();
  } catch {
    heard = { kind: "none", say: text.failed };
  }
  if (heard.kind !== "match") {
    const told = heard.say || heard.error || text.failed;
    view.refuse(told);
    note("machine", told);
    aloud(told);
    return;
  }
  if (heard.event === "NO" && !heard.tool) {
    view.leave();
    open = undefined;
    return;
  }
  if (view.busy) return;
  saying = { event: heard.event, args: heard.payload };
  // A yes is to the question that was open when it was said; nothing else that is said is one.
  const meant = heard.yes && question && question === view.question ? question : undefined;
  await view.run(meant ?? { tool: heard.tool, label: heard.label, args: heard.payload });
  saying = undefined;
}

function listenOnce() {
  const button = part("mic");
  button.setAttribute("aria-pressed", "true");
  listen(settings.lang).then((heard) => {
    button.setAttribute("aria-pressed", "false");
    hear(heard);
  });
}

part("say-form").onsubmit = (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (part("typed"));
  const said = input.value.trim();
  input.value = "";
  hear(said);
};
part("mic").onclick = listenOnce;
part("mic").hidden = !canListen;
part("aloud-label").hidden = !canSpeak;
new MutationObserver(() => {
  if (again && !view.busy) {
    again = false;
    refresh().catch(() => connected(false));
  }
}).observe(part("view"), { attributes: true, attributeFilter: ["aria-busy"] });
for (const node of document.querySelectorAll("[data-word]")) {
  node.textContent = text[/** @type {HTMLElement} */ (node).dataset.word ?? ""];
}
part("about").textContent = text[settings.own || session ? "aboutOwn" : "aboutShared"];
part("address").textContent = new URL(settings.mcp, location.href).href;
if (settings.handles) view.use(session);
follow();
picture.load().catch(() => part("drawn").remove());
