/** @import {Json} from "./types.js" */
import { words } from "./dom.js";

/** @typedef {{element: string, source: string, event: string, target: string}} Arc */
/** @typedef {{dot: string, style: string, states: {[path: string]: string}, arcs: Arc[]}} Drawing */

const FLASH = 1600;
const DRAWN_WITHIN = 20_000;
const KEPT = new Set("svg g title path polygon polyline ellipse text tspan".split(" "));

/**
 * The states of a state value: the innermost ones, and all with those around them.
 * @param {string | Json} value
 * @param {string} [around]
 * @returns {{leaves: string[], all: string[]}}
 */
export function pathsOf(value, around = "") {
  if (typeof value === "string") return value ? { leaves: [around + value], all: [around + value] } : { leaves: [], all: [] };
  const found = Object.entries(value).map(([key, inside]) => {
    const below = pathsOf(inside, `${around}${key}.`);
    return { leaves: below.leaves.length ? below.leaves : [around + key], all: [around + key, ...below.all] };
  });
  return { leaves: found.flatMap((one) => one.leaves), all: found.flatMap((one) => one.all) };
}

/**
 * The picture of the machine, drawn once; states are lit and arrows flash by their classes.
 * @param {HTMLElement} box
 * @param {HTMLElement} caption
 */
export function createPicture(box, caption) {
  /** @type {Drawing | undefined} */
  let drawing;
  /** @type {string | Json} */
  let stands = "";
  let drawn = "";
  const sheet = new CSSStyleSheet();

  /** @param {string} id */
  const element = (id) => box.querySelector(`[id="${CSS.escape(id)}"]`);

  async function load() {
    const answer = await fetch("diagram.json");
    if (!answer.ok) return;
    drawing = /** @type {Drawing} */ (await answer.json());
    if (drawing.dot === drawn) return;
    drawn = drawing.dot;
    const svg = await render(drawing.dot);
    svg.classList.add("fsmvoice");
    svg.setAttribute("aria-hidden", "true");
    await sheet.replace(drawing.style);
    document.adoptedStyleSheets = [sheet];
    box.replaceChildren(svg);
    light();
  }

  function light() {
    const { leaves } = pathsOf(stands);
    caption.textContent = leaves.map((path) => words(path.replaceAll(".", " › "))).join(", ");
    for (const lit of box.querySelectorAll(".active")) lit.classList.remove("active");
    for (const path of leaves) element(drawing?.states[path] ?? "")?.classList.add("active");
  }

  return {
    load,
    /**
     * Light the state where the conversation stands; the arrows that led there flash.
     * @param {string | Json} value
     * @param {string} [event] - what was done, if that is known
     */
    show(value, event) {
      const before = new Set(["", ...pathsOf(stands).all]);
      const after = new Set(["", ...pathsOf(value).all]);
      const moved = stands !== "" && (event !== undefined || JSON.stringify(stands) !== JSON.stringify(value));
      stands = value;
      light();
      if (!moved) return;
      for (const arc of drawing?.arcs ?? []) {
        if (!arc.event || !before.has(arc.source) || !after.has(arc.target)) continue;
        if (event === undefined ? before.has(arc.target) : arc.event !== event) continue;
        const flashing = element(arc.element);
        flashing?.classList.add("taken");
        setTimeout(() => flashing?.classList.remove("taken"), FLASH);
      }
    },
  };
}

/**
 * @param {string} dot
 * @returns {Promise<SVGSVGElement>}
 */
async function render(dot) {
  const made = new DOMParser().parseFromString(trusted().createHTML(await drawnOf(dot)), "image/svg+xml").documentElement;
  for (const node of [...made.querySelectorAll("*")]) if (!KEPT.has(node.localName)) node.replaceWith(...node.childNodes);
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(made, true)));
  for (const size of ["width", "height"]) {
    const points = parseFloat(svg.getAttribute(size) ?? "0");
    svg.setAttribute(size, String(Math.round(points * 1.25)));
  }
  return svg;
}

/**
 * What Graphviz draws, in a thread of its own; it fails where that takes too long.
 * @param {string} dot
 * @returns {Promise<string>}
 */
function drawnOf(dot) {
  return new Promise((done, failed) => {
    const worker = new Worker(trusted().createScriptURL("draw.js"));
    /** @param {string} [svg] */
    const end = (svg) => {
      clearTimeout(late);
      worker.terminate();
      if (svg) done(svg);
      else failed(new Error("Graphviz failed"));
    };
    const late = setTimeout(() => end(), DRAWN_WITHIN);
    worker.onmessage = (event) => end(event.data);
    worker.onerror = () => end();
    worker.postMessage(dot);
  });
}

/** All of this page that is read as markup, what Graphviz has drawn, and all that is run beside it. */
function trusted() {
  const rules = { createHTML: (/** @type {string} */ svg) => svg, createScriptURL: (/** @type {string} */ url) => url };
  const policies = /** @type {any} */ (window).trustedTypes;
  policy ??= policies?.createPolicy("picture", rules) ?? rules;
  return policy;
}

/** @type {any} */
let policy;
