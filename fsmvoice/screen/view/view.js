/** @import {Action, Json, Link, Question, Result, Screen, Settings} from "./types.js" */
import { capital, make } from "./dom.js";
import { formOf, properties } from "./form.js";

/**
 * The view of one conversation: what was said, what is known, and a button for each thing that can be done.
 * @param {HTMLElement} root
 * @param {Settings} settings
 * @param {Link} link
 */
export function createView(root, settings, link) {
  const text = settings.words;
  const title = make("h1", {}, settings.title);
  const say = make("p", { id: "say", role: "status", "aria-live": "polite", tabindex: "-1" }, text.loading);
  const work = make("div", { id: "work" });
  const facts = make("dl", { id: "facts" });
  root.replaceChildren(title, say, work, facts);

  /** @type {Screen | undefined} */
  let screen;
  /** @type {{action: Action, read: () => Json} | undefined} */
  let open;
  /** @type {Question | undefined} */
  let question;
  /** @type {string | undefined} */
  let session;
  /** The event or tool that is being called. */
  let busy = "";
  let lost = false;

  /**
   * Show a result; `asked` is the question that is open after it, where it asks one.
   * @param {Result} result
   * @param {Question} [asked]
   */
  function show(result, asked) {
    const facts = result.structuredContent ?? {};
    if (facts.session) session = facts.session;
    const told = facts.say ?? (result.content ?? []).map((part) => part.text ?? "").join(" ");
    lost = facts.reason === "session-not-found" || facts.reason === "session-expired";
    screen = screenOf(facts, settings) ?? screen ?? (lost ? nothing(settings) : undefined);
    question = asked;
    if (open && (question || !result.isError || !fits(open.action))) open = undefined;
    speak(told, question || facts.reason === "invalid-arguments" ? "question" : result.isError ? "refusal" : "reply");
    render();
  }

  /** @param {Action} action */
  function fits(action) {
    const now = screen?.actions.find((other) => other.event === action.event);
    return now?.enabled && JSON.stringify(now.schema) === JSON.stringify(action.schema);
  }

  /**
   * @param {string} told
   * @param {"reply" | "question" | "refusal"} [kind]
   */
  function speak(told, kind = "reply") {
    // A new text node each time, so that the same words are announced again.
    say.replaceChildren(document.createTextNode(told));
    say.dataset.kind = kind;
  }

  /**
   * Call a tool for a person, and show what comes of it.
   * @param {{tool: string, label: string, args: Json, token?: string, danger?: boolean}} call
   */
  async function run(call) {
    if (busy) return;
    busy = call.tool;
    render();
    const extra = { ...(call.token && { confirm_token: call.token }), ...(settings.handles && session && { session }) };
    let result;
    try {
      result = await link.call(call.tool, { ...call.args, ...extra });
    } catch {
      busy = "";
      question = undefined;
      speak(text.failed, "refusal");
      render();
      return;
    }
    busy = "";
    show(result, questionIn(result, call));
    link.done(call.label, call.args, result);
  }

  /** @param {Action} action */
  function tap(action) {
    if (busy) return;
    if (!action.enabled) {
      speak(action.reason || text.failed, "refusal");
      return;
    }
    if (properties(action).length) {
      openForm(action, {});
      return;
    }
    run({ tool: action.tool, label: action.label, args: {}, danger: action.style === "danger" });
  }

  /**
   * @param {Action} action
   * @param {Json} given
   */
  function openForm(action, given) {
    open = { action, read: () => given };
    render();
    /** @type {HTMLElement | null} */ (work.querySelector("input:checked, input, select, textarea, button"))?.focus();
  }

  function leave() {
    const event = open?.action.event;
    open = undefined;
    question = undefined;
    if (screen) speak(screen.say);
    render();
    for (const button of work.querySelectorAll("button")) if (button.dataset.event === event) button.focus();
  }

  function render() {
    root.setAttribute("aria-busy", String(busy !== ""));
    if (!screen) return;
    title.textContent = screen.title || settings.title;
    const held = work.contains(document.activeElement) ? keyOf(document.activeElement) : "";
    if (question) work.replaceChildren(questionOf(question));
    else if (open) renderForm(open);
    else work.replaceChildren(buttonsOf(screen));
    facts.replaceChildren(
      ...screen.facts.map((fact) => make("div", {}, make("dt", {}, capital(fact.label)), make("dd", {}, fact.value))),
    );
    for (const button of work.querySelectorAll("button")) if (busy) button.setAttribute("aria-disabled", "true");
    if (!held) return;
    // Focus never falls on a button that was not there before: a key that is held down would press it.
    const same = [...work.querySelectorAll("*")].find((node) => keyOf(node) === held);
    if (same instanceof HTMLElement) same.focus();
    else say.focus();
  }

  /** @param {NonNullable<typeof open>} now */
  function renderForm(now) {
    const given = now.read();
    const made = formOf(now.action, settings, given, (args) => send(now.action, args), leave);
    now.read = made.read;
    work.replaceChildren(made.form);
  }

  /**
   * @param {Action} action
   * @param {Json} args
   */
  function send(action, args) {
    run({ tool: action.tool, label: action.label, args, danger: action.style === "danger" });
  }

  /** @param {Screen} now */
  function buttonsOf(now) {
    const all = now.actions.map(buttonOf);
    const stuck = now.final || lost || !now.actions.some((action) => action.enabled);
    if (stuck) {
      const tool = (lost && settings.startSession) || settings.startOver;
      const again = make("button", { type: "button", class: "primary", "data-do": "again" }, text.startOver);
      again.onclick = () => {
        if (lost) session = undefined;
        run({ tool, label: text.startOver, args: {} });
      };
      all.push(make("div", {}, again));
    }
    return make("div", { class: "actions", role: "group", "aria-label": text.actions }, ...all);
  }

  /**
   * @param {Action} action
   * @param {number} place
   */
  function buttonOf(action, place) {
    const why = action.enabled || !action.reason ? undefined : make("small", { id: `why-${place}` }, action.reason);
    const button = make(
      "button",
      {
        type: "button",
        class: action.style,
        "data-event": action.event,
        "aria-disabled": !action.enabled && "true",
        "aria-describedby": why?.id,
        "data-busy": busy === action.tool,
      },
      capital(action.label) + (properties(action).length ? "…" : ""),
    );
    button.onclick = (event) => {
      // The second click of a double click is not meant for what has come to its place.
      if (event.detail < 2) tap(action);
    };
    return make("div", {}, button, why);
  }

  /** @param {Question} asked */
  function questionOf(asked) {
    const style = asked.danger ? "danger" : "primary";
    const yes = make("button", { type: "button", class: style, "data-do": "yes" }, text.true);
    yes.onclick = (event) => {
      if (event.detail < 2) run(asked);
    };
    const no = make("button", { type: "button", class: "secondary", "data-do": "no" }, text.false);
    no.onclick = leave;
    const group = make("div", { class: "buttons", role: "group", "aria-labelledby": "say" }, yes, no);
    group.onkeydown = (event) => {
      if (event.key === "Escape") leave();
    };
    return group;
  }

  return {
    show,
    run,
    leave,
    /** @param {string} told */
    refuse: (told) => speak(told, "refusal"),
    /** @param {string} [named] */
    use: (named) => {
      session = named ?? session;
    },
    get session() {
      return session;
    },
    get screen() {
      return screen;
    },
    get question() {
      return question;
    },
    get busy() {
      return busy !== "";
    },
  };
}

/**
 * What stays the same about a control when the view is drawn again.
 * @param {Element | null} node
 */
function keyOf(node) {
  if (!(node instanceof HTMLElement)) return "";
  return node.dataset.event ?? node.dataset.do ?? node.id;
}

/**
 * The screen of a result. One without a screen, from a host that does not say that it shows screens, has buttons only.
 * @param {Json} facts
 * @param {Settings} settings
 * @returns {Screen | undefined}
 */
function screenOf(facts, settings) {
  if (facts.screen) return facts.screen;
  if (!facts.state) return undefined;
  /** @param {Json} action @returns {Action} */
  const plain = ({ event, label, tool }) => ({ event, label, tool, style: "secondary", schema: {}, enabled: true });
  return {
    title: settings.title,
    say: facts.say ?? "",
    value: facts.state.value,
    facts: [],
    actions: (facts.actions ?? []).map(plain),
    final: facts.state.done === true,
  };
}

/**
 * The screen of a conversation that is not there.
 * @param {Settings} settings
 * @returns {Screen}
 */
const nothing = ({ title }) => ({ title, say: "", value: "", facts: [], actions: [], final: false });

/**
 * The question that a result asks before it does what was called.
 * @param {Result} result
 * @param {{tool: string, label: string, args: Json, danger?: boolean}} call
 * @returns {Question | undefined}
 */
export function questionIn(result, call) {
  const token = result.structuredContent?.confirm_token;
  if (result.structuredContent?.reason !== "needs-confirmation" || !token) return undefined;
  return { tool: call.tool, label: call.label, args: call.args, token, danger: call.danger ?? false };
}
