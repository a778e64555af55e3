/** @import {Json} from "./types.js" */

/**
 * An element. Every text goes in as text: no value can become markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{[name: string]: string | boolean | undefined}} [attributes] - false and undefined leave one out
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

/**
 * A name from code as people read it: "extra_shot" and "extraShot" are "extra shot", "FLAT_WHITE" is "flat white".
 * @param {unknown} name
 */
export function words(name) {
  const text = String(name);
  if (!/[_A-Z]/.test(text) || /\s/.test(text)) return text;
  if (/^[A-Z0-9_]+$/.test(text)) return text.includes("_") ? text.replaceAll("_", " ").toLowerCase() : text;
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
}

/** @param {string} text */
export function capital(text) {
  const [first = ""] = text;
  return first.toLocaleUpperCase() + text.slice(first.length);
}

/**
 * The settings that the server put into the document.
 * @returns {Json}
 */
export function settingsOf() {
  return JSON.parse(document.getElementById("settings")?.textContent || "{}");
}
