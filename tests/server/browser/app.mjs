// The App of a served machine in a host: tapped, spoken, refused, confirmed, torn down.
// usage: node app.mjs '{"tools", "url", "chromium", "shots"?}'
import assert from "node:assert/strict";
import { inBrowser, job, otherClient, require, shot, violations } from "./browser.mjs";

const esbuild = require("esbuild");
const bundle = await esbuild.build({
  entryPoints: [new URL("app_host.js", import.meta.url).pathname],
  bundle: true,
  write: false,
  format: "iife",
  nodePaths: [`${job.tools}/node_modules`],
});
const apps = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const client = await otherClient(job.url, apps);
const { tools } = await client.listTools();
const uris = new Set(tools.map((tool) => tool._meta?.ui?.resourceUri));
assert.deepEqual([...uris], ["ui://cafe/screen.html"], "every tool names one document");
const [document] = (await client.readResource({ uri: "ui://cafe/screen.html" })).contents;
assert.equal(document.mimeType, "text/html;profile=mcp-app");
assert.ok(Buffer.byteLength(document.text) < 30_000, "the document is small");

for (const theme of ["light", "dark"]) {
  await client.callTool({ name: "cafe_start_over", arguments: {} });
  await inBrowser({ viewport: { width: 768, height: 480 } }, async (page) => {
    await page.exposeFunction("callTool", (params) => client.callTool(params));
    await page.setContent("<!doctype html><html lang=en><title>Host</title><body style='margin:0'><main></main></body></html>");
    await page.addScriptTag({ content: bundle.outputFiles[0].text });
    await page.evaluate(([html, context]) => window.startHost(html, context), [document.text, { theme, displayMode: "inline" }]);
    const frame = page.frameLocator("iframe");
    const says = (text) => frame.locator("#say", { hasText: text }).waitFor();
    /** What the model does: it calls, and the host hands the result to the App. */
    const spoken = async (name, args) => {
      const result = await client.callTool({ name, arguments: args });
      await page.evaluate(([given, come]) => window.bridge.sendToolInput({ arguments: given }).then(() => window.bridge.sendToolResult(come)), [args, result]);
    };
    await spoken("cafe_status", {});
    await says("What would you like?");
    assert.equal(await frame.locator("html").getAttribute("data-theme"), theme);

    // tapped, refused by a question, tapped on
    await frame.locator("[data-event=ORDER]").click();
    await frame.getByLabel("Large").check();
    await frame.locator("[data-do=send]").click();
    await says("Which drink would you like");
    await shot(page, `app-question-${theme}`);
    await frame.getByRole("combobox", { name: "Drink" }).selectOption({ label: "Flat white" });
    await frame.locator("[data-do=send]").click();
    await says("One large flat white. Shall I place it?");
    await shot(page, `app-ordering-${theme}`);
    const { context } = await page.evaluate(() => window.heard);
    assert.match(context.at(-1), /^The user tapped "order a drink \(drink: flat_white, size: large, .*\)" on the screen\. It was done/);

    // spoken by the model: refused, then done
    await spoken("cafe_ready", {});
    await says("You can't say it is ready right now.");
    await shot(page, `app-refusal-${theme}`);
    assert.equal(await frame.locator("#say").getAttribute("data-kind"), "refusal");
    // tapped, asked, not done; tapped, asked, done
    await frame.locator("[data-event=CANCEL]").click();
    await says("Really cancel your flat_white?".replace("_", " "));
    await frame.locator("[data-do=no]").click();
    await frame.locator("[data-event=CANCEL]").click();
    await frame.locator("[data-do=yes]").waitFor();
    await shot(page, `app-confirmation-${theme}`);
    await frame.locator("[data-do=yes]").click();
    await says("I cancelled it.");

    // asked by the model, answered on the screen
    await spoken("cafe_order", { drink: "latte" });
    await says("One medium latte.");
    const { tools: known } = await client.listTools();
    const tool = known.find((one) => one.name === "cafe_cancel");
    await page.evaluate((tool) => window.bridge.setHostContext({ toolInfo: { tool } }), tool);
    await spoken("cafe_cancel", {});
    await says("Really cancel your latte?");
    await frame.locator("[data-do=yes]").click();
    await says("I cancelled it.");
    await frame.locator("[data-event=ORDER]").waitFor();
    assert.deepEqual(await violations(page.frames().at(-1)), []);

    const other = theme === "dark" ? "light" : "dark";
    await page.evaluate((theme) => window.bridge.setHostContext({ theme }), other);
    await frame.locator(`html[data-theme=${other}]`).waitFor();
    const { sizes } = await page.evaluate(() => window.heard);
    assert.ok(sizes.length > 0 && sizes.every((size) => size.height > 50), "the host hears how large it is");

    await page.evaluate(() => window.bridge.teardownResource({}));
    assert.equal(await frame.locator("main").evaluate((main) => main.inert), true, "torn down, it can't be tapped");
  });
}

// A host that lets an App call nothing: a tap is said as the user would say it.
await client.callTool({ name: "cafe_start_over", arguments: {} });
await inBrowser({ viewport: { width: 768, height: 480 } }, async (page) => {
  await page.setContent("<!doctype html><html lang=en><title>Host</title><body></body></html>");
  await page.addScriptTag({ content: bundle.outputFiles[0].text });
  await page.evaluate((html) => window.startHost(html, {}, { message: { text: {} } }), document.text);
  const result = await client.callTool({ name: "cafe_order", arguments: { drink: "latte" } });
  await page.evaluate((result) => window.bridge.sendToolResult(result), result);
  await page.frameLocator("iframe").locator("[data-event=CONFIRM]").click();
  await page.waitForFunction(() => window.heard.messages.length === 1);
  assert.deepEqual(await page.evaluate(() => window.heard.messages), ["place the order"]);
});
await client.close();
console.log("ok");
