// XState with its known mistakes mended, one by one: what differs from XState, and from ours no more once a mistake is
// mended, differs for this reason. Each mend replaces a piece of its source that has to be there exactly once.
import { readFileSync } from "node:fs";
import Module from "node:module";

export const MENDS = {
  // A timer that is started while it runs runs twice, and the first can be stopped no more.
  "timers run twice": [
    ["const scheduledEvent = {", "scheduler.cancel(source, id);\n      const scheduledEvent = {"],
  ],
  // What an arc leaves is worked out before the exits write histories, what it enters after: the two don't fit.
  "histories move the domain": [
    [
      "    let nextState = currentSnapshot;\n\n    // Exit states",
      "    for (const t of filteredTransitions) t.domain = getTransitionDomain(t, historyValue);\n" +
        "    let nextState = currentSnapshot;\n\n    // Exit states",
    ],
    ["  for (const t of transitions) {\n    const domain = getTransitionDomain(t, historyValue);", "  for (const t of transitions) {\n    const domain = t.domain;"],
  ],
  // Regions are asked for their `always` in the order in which their states were entered, not in the document's.
  "always by age": [
    [
      "const atomicStates = nextState._nodes.filter(isAtomicStateNode);",
      "const atomicStates = nextState._nodes.filter(isAtomicStateNode).sort((a, b) => a.order - b.order);",
    ],
  ],
  // A state that its history leads back into is entered without being left, beside an arc that leaves all around it.
  "histories of the source": [
    [
      "      if (hasIntersection(computeExitSet([t1], stateNodeSet, historyValue), computeExitSet([t2], stateNodeSet, historyValue))) {",
      "      const leaves = (t) => {\n" +
        "        const held = computeExitSet([t], stateNodeSet, historyValue);\n" +
        "        const renews = !t.reenter && t.target?.some(isHistoryNode) && getTransitionDomain(t, historyValue) === t.source;\n" +
        "        return renews && getEffectiveTargetStates(t, historyValue).includes(t.source) ? [...held, t.source] : held;\n" +
        "      };\n" +
        "      if (hasIntersection(leaves(t1), leaves(t2))) {",
    ],
  ],
};

// A copy of XState with the given mends. `require` finds the package.
export function mended(require, names) {
  const plain = Module._extensions[".js"];
  const entry = require.resolve("xstate");
  const folder = entry.slice(0, entry.lastIndexOf("/"));
  const kept = Object.keys(require.cache).filter((file) => file.startsWith(folder));
  const before = kept.map((file) => [file, require.cache[file]]);
  for (const file of kept) delete require.cache[file];
  const pieces = names.flatMap((name) => MENDS[name]);
  const found = new Map(pieces.map((piece) => [piece, 0]));
  Module._extensions[".js"] = (module, file) => {
    if (!file.startsWith(folder)) return plain(module, file);
    let source = readFileSync(file, "utf8");
    for (const piece of pieces) {
      const parts = source.split(piece[0]);
      found.set(piece, found.get(piece) + parts.length - 1);
      source = parts.join(piece[1]);
    }
    module._compile(source, file);
  };
  try {
    return require("xstate");
  } finally {
    Module._extensions[".js"] = plain;
    for (const file of Object.keys(require.cache).filter((file) => file.startsWith(folder))) delete require.cache[file];
    for (const [file, module] of before) require.cache[file] = module;
    for (const [piece, times] of found) {
      if (times !== 1) throw new Error(`XState has changed: ${JSON.stringify(piece[0])} stands in it ${times} times`);
    }
  }
}
