// A machine that Graphviz does not get drawn: the page is as quick as ever, and says where the machine stands.
// usage: node large.mjs '{"tools", "url", "chromium", "shots"?}'
import assert from "node:assert/strict";
import { inBrowser, job, shot, tap } from "./browser.mjs";

await inBrowser({}, async (page) => {
  const drawing = page.waitForEvent("worker");
  await page.goto(job.url);
  await drawing;
  await page.locator("#stands", { hasText: "s0" }).waitFor();
  const began = Date.now();
  await tap(page, "GO_1");
  await page.waitForFunction(() => !["", "s0"].includes(document.getElementById("stands")?.textContent ?? ""));
  assert.ok(Date.now() - began < 5000, `a tap took ${Date.now() - began} ms`);
  assert.equal(await page.locator("#drawn svg").count(), 0);
  await page.locator("#drawn").waitFor({ state: "detached", timeout: 30_000 });
  await shot(page, "large");
});
