// Graphviz at work beside the page, which goes on meanwhile: a large machine takes it a while.

const worker = /** @type {any} */ (self);
worker.importScripts("viz-global.js");
worker.onmessage = async (/** @type {MessageEvent<string>} */ event) => {
  try {
    const viz = await worker.Viz.instance();
    worker.postMessage(viz.renderString(event.data, { format: "svg" }));
  } catch {
    worker.postMessage("");
  }
};
