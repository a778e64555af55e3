// The page of a served machine, used by a person.
// usage: node page.mjs '{"tools", "url", "chromium", "shots"?, "scenarios": [...], "own"?}'
import assert from "node:assert/strict";
import { inBrowser, job, otherClient, says, shot, tap, violations } from "./browser.mjs";

const client = await otherClient(job.url);
const call = (name, args = {}) => client.callTool({ name, arguments: args });
const log = (page) => page.locator("#log-list li").allTextContents();
const lit = (page, state) => page.locator(`#drawn [id=state-${state}].active`).waitFor();
const open = async (page, at = "/") => {
  await page.goto(job.url + at);
  await says(page, "What would you like?");
};

async function order(page, drink = "flat white") {
  await tap(page, "ORDER");
  await page.getByRole("combobox", { name: "Drink" }).selectOption({ label: drink });
  await page.getByLabel("Large").check();
  await page.locator("[data-do=send]").click();
  await says(page, `One large ${drink.toLowerCase()}. Shall I place it?`);
}

const scenarios = {
  /** A whole order by tapping; the picture follows, and what was said is listed. */
  async tapped(page) {
    await open(page);
    await order(page, "Flat white");
    await lit(page, "ordering");
    await tap(page, "CONFIRM");
    await says(page, "Brewing your flat white now.");
    await lit(page, "brewing");
    await tap(page, "READY");
    await says(page, "Your flat white is ready. Enjoy!");
    await lit(page, "done");
    assert.equal(await page.locator("#stands").textContent(), "done");
    assert.ok((await log(page)).some((line) => line.startsWith("You: Order a drink: drink flat white, size large")));
    await page.locator("[data-do=again]").click();
    await says(page, "What would you like?");
    assert.ok(!(await page.content()).includes("4111"), "what is private never comes here");
  },

  /** Half said by another client, half tapped; the page follows. */
  async mixed(page) {
    await open(page);
    await call("cafe_order", { drink: "latte", size: "small" });
    await says(page, "One small latte.");
    await lit(page, "ordering");
    await tap(page, "CONFIRM");
    await says(page, "Brewing your latte now.");
    assert.equal((await call("cafe_status")).structuredContent.state.value, "brewing", "the other one sees what was tapped");
    await call("cafe_ready");
    await says(page, "Your latte is ready.");
    const lines = await log(page);
    assert.ok(lines.some((line) => line.startsWith("Another client: One small latte.")), lines.join("\n"));
    assert.equal(lines.filter((line) => line.startsWith("Machine: Brewing")).length, 1, "its own change is not told twice");
  },

  /** A form with every kind of field; a bad value is refused in words, and what was filled in stays. */
  async form(page) {
    await open(page);
    await tap(page, "ORDER");
    await page.locator("[data-do=send]").click();
    await says(page, "Which drink would you like");
    assert.equal(await page.locator("#say").getAttribute("data-kind"), "question");
    await page.getByRole("combobox", { name: "Drink" }).selectOption({ label: "Matcha" });
    await page.getByLabel("Shots").fill("9");
    await page.getByLabel("Pickup").fill("2030-05-17");
    await page.getByRole("group", { name: "Decaf" }).getByLabel("Yes").check();
    await shot(page, "form");
    assert.deepEqual(await violations(page), []);
    await page.locator("[data-do=send]").click();
    await says(page, "from 1 to 4");
    await shot(page, "form-refused");
    assert.equal(await page.getByRole("combobox", { name: "Drink" }).inputValue(), "6", "what was chosen stays chosen");
    assert.ok(await page.getByText("Toppings: to be said in words.").isVisible());
    await page.getByLabel("Shots").fill("2");
    await page.getByLabel("Shots").press("Enter");
    await says(page, "One medium matcha.");
    const facts = await page.locator("#facts div").allTextContents();
    assert.deepEqual(facts.slice(0, 4), ["Drinkmatcha", "Sizemedium", "Shots2", "Decafyes"]);
    assert.match(facts[4], /^Pickup.*17/);
  },

  /** Without a mouse: Tab, Space, Enter and Escape. The focus is never lost, nor on what was not there before. */
  async keyboard(page) {
    await open(page);
    const focus = () => page.evaluate(() => document.activeElement?.dataset.event ?? document.activeElement?.id);
    const to = async (key, wanted) => {
      for (let tries = 0; tries < 30 && (await focus()) !== wanted; tries += 1) await page.keyboard.press(key);
      assert.equal(await focus(), wanted);
    };
    await to("Tab", "ORDER");
    await page.keyboard.press("Enter");
    await page.locator("form[data-event=ORDER]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("button[data-event=ORDER]").waitFor();
    assert.equal(await focus(), "ORDER", "Escape leads back to the button");
    await page.keyboard.press("Space");
    await page.locator("form[data-event=ORDER]").waitFor();
    assert.equal(await focus(), "f-0", "the first field has the focus");
    await page.keyboard.type("espr");
    await to("Tab", "f-1-1");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await says(page, "One large espresso.");
    await page.waitForFunction(() => document.activeElement?.id === "say");
    await to("Tab", "CONFIRM");
    await page.keyboard.press("Enter");
    await says(page, "Brewing your espresso now.");
    await to("Tab", "CANCEL");
    await page.keyboard.press("Enter");
    await says(page, "Your espresso is being made already.");
    assert.equal(await focus(), "CANCEL", "a button that is disabled can be asked why");
    await to("Tab", "READY");
    await page.keyboard.press("Enter");
    await says(page, "Your espresso is ready.");
  },

  /** What is confirmed is asked first: no leaves it, yes does it, once. */
  async confirmed(page) {
    await open(page);
    await order(page, "Latte");
    await tap(page, "CANCEL");
    await says(page, "Really cancel your latte?");
    await shot(page, "confirmation");
    assert.deepEqual(await violations(page), []);
    await page.locator("[data-do=no]").click();
    await page.locator("button[data-event=CONFIRM]").waitFor();
    assert.equal((await call("cafe_status")).structuredContent.state.value, "ordering");
    await tap(page, "CANCEL");
    await page.locator("[data-do=yes]").click();
    await says(page, "I cancelled it.");
    assert.equal((await call("cafe_status")).structuredContent.state.value, "idle");
  },

  /** Typed, as it would be said; a yes answers the question that is open. */
  async typed(page) {
    await open(page);
    const type = async (words) => {
      await page.locator("#typed").fill(words);
      await page.keyboard.press("Enter");
    };
    await type("a large latte please");
    await says(page, "One large latte.");
    await type("cancel the order");
    await says(page, "Really cancel your latte?");
    await type("no");
    await page.locator("button[data-event=CONFIRM]").waitFor();
    await type("cancel the order");
    await says(page, "Really cancel your latte?");
    await type("cancel the order");
    await page.locator("#log-list li", { hasText: "You: cancel the order" }).nth(2).waitFor();
    await page.locator("main[aria-busy=false]").waitFor();
    assert.equal((await call("cafe_status")).structuredContent.state.value, "ordering", "to ask again is no yes");
    await page.locator("[data-do=no]").click();
    await type("yes");
    await says(page, "Brewing your latte now.");
    await call("cafe_start_over");
    await says(page, "What would you like?");
    await type("a large latte please");
    await says(page, "One large latte.");
    await type("cancel the order");
    await says(page, "Really cancel your latte?");
    await type("yes");
    await says(page, "I cancelled it.");
    await type("colourless green ideas");
    await says(page, "Sorry, I didn't get that. You can order a drink");
    const lines = await log(page);
    assert.ok(lines.includes("You: a large latte please"), lines.join("\n"));
    assert.ok(!lines.some((line) => line.startsWith("You: Order a drink")), "what was said is listed once, as it was said");
  },

  /** No label and no value becomes markup. */
  async hostile(page) {
    await open(page);
    await call("cafe_name", { name: "<img src=x onerror=alert(1)><b>Eve</b>" });
    await page.locator("#facts", { hasText: "Eve" }).waitFor();
    await call("cafe_order", { drink: "latte" });
    await tap(page, "CONFIRM");
    await page.locator("button[data-event=TASTE]").waitFor();
    await call("cafe_taste");
    assert.equal(await page.locator("main img, main b, #log img, #log b, #picture img").count(), 0);
  },

  /** In the dark, on a small screen, in each state: nothing that a person could not read or reach. */
  async dark(page) {
    await open(page);
    await page.locator("#drawn svg").waitFor();
    await shot(page, "dark-idle");
    assert.deepEqual(await violations(page), []);
    await tap(page, "ORDER");
    await shot(page, "dark-form");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await order(page, "Mocha");
    await shot(page, "dark-ordering");
    await tap(page, "CONFIRM");
    await says(page, "Brewing");
    await shot(page, "dark-brewing");
    assert.deepEqual(await violations(page), []);
    for (const button of await page.locator("button:visible").all()) {
      const box = await button.boundingBox();
      assert.ok(box.height >= 48 && box.width >= 48, `${await button.textContent()} is as large as a finger`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, "nothing is wider than the screen");
  },

  /** With --sessions per-client each page has a conversation of its own, also after it is loaded again. */
  async own(page, context) {
    await open(page);
    await order(page, "Latte");
    const other = await context.newPage();
    await open(other);
    assert.equal((await call("cafe_status")).structuredContent.state.value, "idle");
    await page.reload();
    await says(page, "One large latte.");
  },
};

const looks = { dark: { colorScheme: "dark", viewport: { width: 768, height: 480 } } };
for (const name of job.scenarios) {
  await call("cafe_start_over");
  await inBrowser(looks[name] ?? {}, (page, context) =>
    scenarios[name](page, context).catch(async (error) => {
      const seen = await page.locator("body").innerText().catch(() => "");
      throw new Error(`${name}: ${error.message}\n--- the page shows\n${seen}`, { cause: error });
    }),
  );
}
await client.close();
console.log("ok");
