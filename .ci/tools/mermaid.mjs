// Read diagrams from stdin, a JSON list of texts, as Mermaid does, and print for each a line of JSON: its arrows and
// the texts of its states, at every depth; or the error. It needs a DOM to clean labels in.
import { readFileSync } from "fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");

const decoded = (text) => text.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)));
const words = (text) => [text ?? []].flat().map(decoded).filter(Boolean);

/** All arrows and state texts of a diagram's statements, those inside of states too. */
function read(statements, found) {
  for (const it of statements) {
    if (it.stmt === "relation") {
      found.arrows.push([it.state1.id, it.state2.id, decoded(it.description ?? "")]);
      read([it.state1, it.state2], found);
    } else if (it.stmt === "state" || it.stmt === "default") {
      (found.states[it.id] ??= []).push(...words(it.description), ...words(it.note?.text));
      read(it.doc ?? [], found);
    }
  }
  return found;
}

for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    await mermaid.parse(text);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    console.log(JSON.stringify(read(db.getRootDocV2().doc, { arrows: [], states: Object.create(null) })));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error).slice(0, 500) }));
  }
}
