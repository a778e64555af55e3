/** @import {Action, Json, Settings} from "./types.js" */
import { capital, make, words } from "./dom.js";

/** @typedef {{node: HTMLElement, read: () => unknown, write: (value: unknown) => void}} Field */

const FEW = 6;
const INPUTS = { date: "date", "date-time": "datetime-local", time: "time", email: "email", uri: "url" };

/** @param {Action} action */
export const properties = (action) => Object.entries(/** @type {Json} */ (action.schema.properties ?? {}));

/**
 * A form for what an action carries. What is wrong with it, the server says, in the words it would speak.
 * @param {Action} action
 * @param {Settings} settings
 * @param {Json} given - values to begin with
 * @param {(args: Json) => void} send
 * @param {() => void} leave
 */
export function formOf(action, settings, given, send, leave) {
  const required = new Set(action.schema.required ?? []);
  /** @type {[string, Field][]} */
  const fields = [];
  const form = make("form", { novalidate: true, "aria-labelledby": "form-title", "data-event": action.event });
  form.append(make("h2", { id: "form-title" }, capital(action.label)));
  for (const [name, schema] of properties(action)) {
    const field = fieldOf(`f-${fields.length}`, name, schema, required.has(name), settings);
    const value = name in given ? given[name] : schema.default;
    if (value !== undefined) field.write(value);
    fields.push([name, field]);
    form.append(field.node);
  }
  const style = action.style === "danger" ? "danger" : "primary";
  const back = make("button", { type: "button", class: "secondary", "data-do": "back" }, settings.words.back);
  back.onclick = leave;
  const submit = make("button", { type: "button", class: style, "data-do": "send" }, capital(action.label));
  form.append(make("div", { class: "buttons" }, submit, back));
  const read = () => {
    /** @type {Json} */
    const args = {};
    for (const [name, field] of fields) {
      const value = field.read();
      if (value !== undefined && value !== "") args[name] = value;
    }
    return args;
  };
  // Hosts put a view into a frame that may not submit forms: there no submit event ever comes.
  submit.onclick = (event) => {
    if (event.detail < 2) send(read());
  };
  form.onsubmit = (event) => event.preventDefault();
  form.onkeydown = (event) => {
    if (event.key === "Escape") leave();
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!event.repeat) send(read());
  };
  return { form, read };
}

/**
 * @param {string} id
 * @param {string} name
 * @param {Json} schema
 * @param {boolean} required
 * @param {Settings} settings
 * @returns {Field}
 */
function fieldOf(id, name, schema, required, settings) {
  const label = capital(schema.title ?? words(name));
  const choices = choicesOf(schema, settings);
  const note = noteOf(schema);
  const described = note ? `${id}-note` : undefined;
  const told = note ? make("small", { id: `${id}-note` }, note) : undefined;
  const named = { id, name, "aria-describedby": described, "aria-required": required && "true" };
  const over = make("label", { for: id }, label, required ? "" : make("small", {}, ` ${settings.words.optional}`));
  if (choices && choices.length <= FEW) return radios(id, over, choices, told);
  if (choices) {
    const select = make("select", named, make("option", { value: "" }, settings.words.choose));
    choices.forEach(([, text], place) => select.append(make("option", { value: String(place) }, text)));
    const node = make("div", { class: "field" }, over, told, select);
    return {
      node,
      read: () => (select.value === "" ? undefined : choices[Number(select.value)][0]),
      write: (value) => {
        const place = choices.findIndex(([choice]) => choice === value);
        if (place >= 0) select.value = String(place);
      },
    };
  }
  const kind = kindOf(schema);
  if (!kind) {
    const ask = make("p", { class: "field" }, settings.words.inWords.replace("{name}", label));
    return { node: ask, read: () => undefined, write: () => {} };
  }
  const long = kind === "text" && schema.maxLength > 120;
  const input = long ? make("textarea", { ...named, rows: "3" }) : make("input", { ...named, type: kind });
  input.setAttribute("autocomplete", "off");
  if (kind === "number") {
    for (const [key, bound] of [["min", schema.minimum], ["max", schema.maximum]]) {
      if (bound !== undefined) input.setAttribute(key, bound);
    }
    input.setAttribute("step", schema.type === "integer" ? "1" : "any");
  }
  return {
    node: make("div", { class: "field" }, over, told, input),
    read: () => (kind === "number" && input.value !== "" ? Number(input.value) : input.value.trim()),
    write: (value) => {
      input.value = String(value);
    },
  };
}

/**
 * Choices as tiles, each as large as a finger.
 * @param {string} id
 * @param {HTMLElement} label
 * @param {[unknown, string][]} choices
 * @param {HTMLElement | undefined} told
 * @returns {Field}
 */
function radios(id, label, choices, told) {
  const inputs = choices.map((_, place) =>
    make("input", { type: "radio", name: id, id: `${id}-${place}`, value: String(place) }),
  );
  const tiles = choices.map(([, text], place) => make("label", { class: "tile" }, inputs[place], make("span", {}, text)));
  const legend = make("legend", {}, ...label.childNodes);
  return {
    node: make("fieldset", { class: "field", id }, legend, told, make("div", { class: "tiles" }, ...tiles)),
    read: () => {
      const place = inputs.findIndex((input) => input.checked);
      return place < 0 ? undefined : choices[place][0];
    },
    write: (value) => {
      const input = inputs[choices.findIndex(([choice]) => choice === value)];
      if (input) input.checked = true;
    },
  };
}

/**
 * The values to choose from with what they are called; undefined where any value may be given.
 * @param {Json} schema
 * @param {Settings} settings
 * @returns {[unknown, string][] | undefined}
 */
function choicesOf(schema, settings) {
  if (Array.isArray(schema.oneOf)) return schema.oneOf.map(({ const: value, title }) => [value, capital(title)]);
  const listed = "const" in schema ? [schema.const] : schema.enum;
  if (Array.isArray(listed)) {
    const known = listed.filter((value) => value !== null);
    return known.map((value) => [value, capital(typeof value === "boolean" ? settings.words[`${value}`] : words(value))]);
  }
  if (schema.type !== "boolean") return undefined;
  return [[true, settings.words.true], [false, settings.words.false]];
}

/**
 * The type of an input for a plain value; undefined for what is nested, which is asked in words.
 * @param {Json} schema
 */
function kindOf(schema) {
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type !== "string") return undefined;
  return INPUTS[/** @type {keyof typeof INPUTS} */ (schema.format)] ?? "text";
}

/** @param {Json} schema */
function noteOf(schema) {
  const parts = schema.description ? [capital(schema.description)] : [];
  const { minimum: low, maximum: high } = schema;
  if (low !== undefined && high !== undefined) parts.push(`${low} – ${high}`);
  else if (low !== undefined) parts.push(`≥ ${low}`);
  else if (high !== undefined) parts.push(`≤ ${high}`);
  return parts.join(" · ");
}
