// Read a diagram from stdin as Mermaid does, and print how many arrows it found. It needs a DOM to clean labels in.
import { readFileSync } from "fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
const text = readFileSync(0, "utf8");
await mermaid.parse(text);
const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
console.log(diagram.db.getRelations().length);
