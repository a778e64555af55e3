// The page while its server is stopped and started again.
// usage: node restart.mjs '{"tools", "chromium", "command": [...], "url"}'
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { inBrowser, job, says, tap } from "./browser.mjs";

const running = () => fetch(`${job.url}/healthz`).then((answer) => answer.ok, () => false);
async function until(done) {
  for (let tries = 0; tries < 800; tries += 1) {
    if (await done()) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error("it took too long");
}
async function start() {
  const [program, ...rest] = job.command;
  const server = spawn(program, rest, { stdio: "ignore" });
  await until(running).catch((error) => {
    server.kill();
    throw error;
  });
  return server;
}
async function stop(server) {
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await ended;
}

let server = await start();
try {
  await inBrowser({}, async (page) => {
    await page.goto(`${job.url}/`);
    await says(page, "What would you like?");
    await page.locator("#drawn svg").waitFor();
    await tap(page, "ORDER");
    await page.getByRole("combobox", { name: "Drink" }).selectOption({ label: "Latte" });
    await page.locator("[data-do=send]").click();
    await says(page, "One medium latte.");
    await stop(server);
    await page.locator("#link[data-state=down]").waitFor();
    await tap(page, "CONFIRM");
    await says(page, "That did not work.");
    assert.equal(await page.locator("button[data-event=CONFIRM]").getAttribute("aria-disabled"), null, "it can be tried again");
    server = await start();
    await page.locator("#link[data-state=up]").waitFor();
    await says(page, "What would you like?");
    await page.locator("#drawn [id=state-idle].active").waitFor();
    await tap(page, "ORDER");
    await page.locator("form[data-event=ORDER]").waitFor();
  });
} finally {
  await stop(server);
}
console.log("ok");
