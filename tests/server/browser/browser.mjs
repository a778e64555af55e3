// What the scripts of this folder share: a browser, the tools from npm, and an MCP client beside the page.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

export const job = JSON.parse(process.argv[2]); // {tools, url, shots?, chromium, ...}
export const require = createRequire(`${job.tools}/`);
const { chromium } = require("playwright-core");
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** Run `steps` with a page of a fresh browser; what the page complains of is an error. */
export async function inBrowser(options, steps) {
  const browser = await chromium.launch({ executablePath: job.chromium, args: FLAGS.split(" ") });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15000);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !/ERR_CONNECTION|net::|status of [45]/.test(message.text())) complaints.push(message.text());
    });
    await steps(page, context);
    if (complaints.length) throw new Error(`the page complains: ${complaints.join("\n")}`);
  } finally {
    await browser.close();
  }
}

export async function shot(page, name) {
  if (job.shots) await page.screenshot({ path: `${job.shots}/${name}.png` });
}

/** What axe-core finds, by rule and element. */
export async function violations(page) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] });
    return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
  });
}

/** An MCP client of its own, as a voice assistant is one. */
export async function otherClient(url, capabilities = {}) {
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const client = new Client({ name: "assistant", version: "1" }, { capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}

export const tap = (page, event) => page.locator(`button[data-event=${event}]`).click();
export const says = (page, text) => page.locator("#say", { hasText: text }).waitFor();
