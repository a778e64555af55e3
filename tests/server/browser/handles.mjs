// The App where callers hold handles: each call names the session, and one that is gone is begun anew.
// usage: node handles.mjs '{"tools", "url", "chromium"}'
import assert from "node:assert/strict";
import { inBrowser, job, otherClient, require } from "./browser.mjs";

const esbuild = require("esbuild");
const bundle = await esbuild.build({
  entryPoints: [new URL("app_host.js", import.meta.url).pathname],
  bundle: true,
  write: false,
  format: "iife",
  nodePaths: [`${job.tools}/node_modules`],
});
// A host that does not say that it shows Apps: its results come without a screen, and the App looks for itself.
const client = await otherClient(job.url);
const [document] = (await client.readResource({ uri: "ui://cafe/screen.html" })).contents;

await inBrowser({ viewport: { width: 768, height: 480 } }, async (page) => {
  await page.exposeFunction("callTool", (params) => client.callTool(params));
  await page.setContent("<!doctype html><html lang=en><title>Host</title><body></body></html>");
  await page.addScriptTag({ content: bundle.outputFiles[0].text });
  await page.evaluate((html) => window.startHost(html, {}), document.text);
  const frame = page.frameLocator("iframe");
  const says = (text) => frame.locator("#say", { hasText: text }).waitFor();
  const opened = await client.callTool({ name: "cafe_start_session", arguments: {} });
  const { session } = opened.structuredContent;
  assert.equal(opened.structuredContent.screen, undefined);
  await page.evaluate((result) => window.bridge.sendToolResult(result), opened);
  await says("What would you like?");
  await frame.locator("[data-event=ORDER]", { hasText: "…" }).click();
  await frame.getByRole("combobox", { name: "Drink" }).selectOption({ label: "Latte" });
  await frame.locator("[data-do=send]").click();
  await says("One medium latte.");
  const { calls } = await page.evaluate(() => window.heard);
  assert.ok(calls.every((call) => call.arguments.session === session), "every call names the session");
  const shared = await client.callTool({ name: "cafe_status", arguments: {} });
  assert.equal(shared.structuredContent.state.value, "idle", "nobody else's conversation has moved");

  const gone = await client.callTool({ name: "cafe_status", arguments: { session: "nobody-has-this" } });
  await page.evaluate((result) => window.bridge.sendToolResult(result), gone);
  await frame.locator("[data-do=again]").click();
  await says("What would you like?");
  await frame.locator("[data-event=ORDER]").waitFor();
});
await client.close();
console.log("ok");
