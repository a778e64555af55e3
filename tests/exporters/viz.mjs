// Draw each text of a JSON list from stdin with the package's own copy of Viz.js, named as the first argument, and
// print for each a line of JSON: the SVG, and what Graphviz had to say.
import { readFileSync } from "fs";
import { createRequire } from "module";

const file = process.argv[2];
const module = { exports: {} };
const load = new Function("module", "exports", "require", "__filename", readFileSync(file, "utf8"));
load(module, module.exports, createRequire(import.meta.url), file);
const viz = await module.exports.instance();
for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  const { output, errors } = viz.render(text, { format: "svg" });
  console.log(JSON.stringify({ output, errors: errors.map((it) => it.message) }));
}
