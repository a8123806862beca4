// What a session is begun with: a folder that is completed, every mode, a model of another name; and the last conversation of a
// folder gone on with.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import { choose, conversation, read, write } from "./session";
import { says, turn } from "./story";

let deck: Deck;
let screen: Screen;
let other: ChildProcess | undefined;

beforeEach(async () => {
  deck = await Deck.start({ turns: [turn([says("Done here.")])] });
  screen = await Screen.open(deck.url);
});

afterEach(async () => {
  other?.kill("SIGKILL");
  other = undefined;
  await screen.close();
  await deck.end();
});

async function dialogAt(hash: string): Promise<Locator> {
  await screen.page.evaluate((to) => (location.hash = to), hash);
  const dialog = screen.page.getByRole("dialog", { name: "New session" });
  await dialog.waitFor();
  return dialog;
}

test("a folder is completed while it is typed, every mode can be had, and another model is no one-way street", async () => {
  const { page } = screen;
  for (const folder of ["reef", "tern", "tide/inner"]) mkdirSync(join(deck.work, folder), { recursive: true });
  const dialog = await dialogAt("#/new");
  const folder = dialog.getByRole("combobox", { name: "Folder" });
  const offers = dialog.getByRole("listbox", { name: "Folders" });
  await folder.fill(join(deck.work, "t"));
  await offers.getByRole("option", { name: /^tide/ }).waitFor();
  await expect.poll(() => offers.getByRole("option").count()).toBe(2);
  await screen.isGood();
  await folder.press("ArrowDown");
  await folder.press("Tab");
  await expect.poll(() => folder.inputValue()).toBe(join(deck.work, "tide/"));
  // Whoever wants no more of it goes on with the next field.
  await offers.getByRole("option", { name: /^inner/ }).waitFor();
  await folder.press("Tab");
  await offers.waitFor({ state: "detached" });
  expect(await folder.evaluate((field) => field === document.activeElement)).toBe(false);
  await folder.fill(join(deck.work, "tide/i"));
  await offers.waitFor();
  await folder.press("Escape");
  await offers.waitFor({ state: "detached" });
  expect(await dialog.isVisible()).toBe(true);
  await folder.fill(join(deck.work, "ter"));
  await offers.waitFor();
  await folder.press("Tab");
  await expect.poll(() => folder.inputValue()).toBe(join(deck.work, "tern/"));

  await dialog.getByLabel("Model").selectOption({ label: "Another …" });
  await dialog.getByRole("textbox", { name: "Model" }).fill("claude-own-9-9");
  await dialog.getByRole("button", { name: "Back to the list" }).click();
  expect(await dialog.getByRole("combobox", { name: "Model" }).inputValue()).toBe("");

  const modes = dialog.getByRole("radiogroup", { name: "Permissions" }).getByRole("radio");
  await expect
    .poll(() => modes.allTextContents())
    .toEqual(["Ask first", "Accept edits", "Plan only", "Never ask", "Automatic"]);
  // What a preset of elsewhere wants is shown, though this server would refuse it.
  await page.evaluate(() =>
    fetch("api/v1/settings", {
      method: "PATCH",
      headers: { "content-type": "application/json", "x-quarterdeck": "1" },
      body: JSON.stringify({ presets: { Bold: { bypassPermissions: true } } }),
    }),
  );
  await page.reload();
  await dialog.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: /^Bold/ }).click();
  await expect.poll(() => dialog.getByRole("radio", { checked: true }).allTextContents()).toEqual(["Bypass"]);
  await screen.isGood();
  await dialog.getByRole("radio", { name: "Never ask" }).click();
  await dialog.getByRole("button", { name: "Start session" }).click();
  await dialog.waitFor({ state: "detached" });
  const started = () =>
    page.evaluate(async () => {
      const id = location.hash.split("/")[2];
      return ((await (await fetch(`api/v1/sessions/${id}`)).json()) as { options: Record<string, unknown> }).options;
    });
  await expect.poll(() => started()).toMatchObject({ mode: "dontAsk", cwd: join(deck.work, "tern") });
});

test("a folder can be named from home on: completed, begun in, and allowed", async () => {
  const { page } = screen;
  for (const folder of ["work/tern", "other"]) mkdirSync(join(deck.place, folder));
  const dialog = await dialogAt("#/new");
  const folder = dialog.getByRole("combobox", { name: "Folder" });
  const offers = dialog.getByRole("listbox", { name: "Folders" });
  // What is allowed is offered by the way that leads there from home; then what is in it.
  await folder.fill("~/w");
  await offers.getByRole("option", { name: /^work/ }).waitFor();
  await folder.press("Tab");
  const typed = "~/work";
  await expect.poll(() => folder.inputValue()).toBe(`${typed}/`);
  await offers.getByRole("option", { name: /^tern/ }).waitFor();
  await folder.press("ArrowDown");
  await folder.press("Tab");
  await expect.poll(() => folder.inputValue()).toBe(`${typed}/tern/`);
  await screen.isGood();
  await dialog.getByRole("button", { name: "Start session" }).click();
  await dialog.waitFor({ state: "detached" });
  const options = await page.evaluate(async () => {
    const id = location.hash.split("/")[2];
    return ((await (await fetch(`api/v1/sessions/${id}`)).json()) as { options: Record<string, unknown> }).options;
  });
  expect(options).toMatchObject({ cwd: join(deck.work, "tern") });

  const again = await dialogAt("#/new");
  await folder.fill("~/other");
  await again.getByText("Agents may not work in ~/other yet.").waitFor();
  await again.getByRole("button", { name: /^Allow/ }).click();
  await again.getByText("Agents may not work in").waitFor({ state: "detached" });
  const roots = await page.evaluate(async () => (await fetch("api/v1/roots")).json());
  expect(roots).toEqual([deck.work, join(deck.place, "other")]);
});

test("the last conversation of a folder is gone on with here, with all that was said, and not beside somebody else", async () => {
  const { page } = screen;
  const id = randomUUID();
  const projects = join(deck.place, ".claude", "projects", "-work");
  mkdirSync(projects, { recursive: true });
  const line = { type: "user", cwd: deck.work, sessionId: id, uuid: id, timestamp: new Date().toISOString() };
  const message = { role: "user", content: "Find the leak in the hull" };
  writeFileSync(join(projects, `${id}.jsonl`), `${JSON.stringify({ ...line, message })}\n`);
  other = spawn("sh", ["-c", "read line", "claude", "--resume", id], { stdio: ["pipe", "ignore", "ignore"] });
  const gone = new Promise((resolve) => other?.once("exit", resolve));

  let dialog = await dialogAt("#/new/resume");
  await dialog.getByRole("button", { name: "Continue the last one" }).click();
  const asked = page.getByRole("dialog", { name: "Somebody else is at it" });
  await asked.getByRole("button", { name: /^Take it over/ }).click();
  await gone;
  await asked.waitFor({ state: "detached" });
  await read(screen, "Find the leak in the hull");
  await write(screen, "And mend it");
  await read(screen, "Done here.");
  // Once more: it is the same session, with or without its agent.
  const here = await page.evaluate(() => location.hash);
  for (const isRunning of [true, false]) {
    if (!isRunning) await choose(screen, /^Actions for/, /^End its agent/);
    dialog = await dialogAt("#/new/resume");
    await dialog.getByRole("button", { name: "Continue the last one" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => location.hash)).toBe(here);
    await conversation(screen).getByText("Done here.").waitFor();
  }
  await expect.poll(() => page.locator(".list .srow").count()).toBe(1);

  // Who wants the agent for its files is asked the same.
  await choose(screen, /^Actions for/, /^End its agent/);
  await page.getByText("Asleep", { exact: true }).first().waitFor();
  other = spawn("sh", ["-c", "read line", "claude", "--resume", id], { stdio: ["pipe", "ignore", "ignore"] });
  const mine = conversation(screen).locator(".trow", { hasText: "And mend it" });
  await mine.hover();
  await mine.getByRole("button", { name: "Put files back to before this" }).click();
  await page.getByRole("button", { name: "Start its agent and look" }).click();
  await asked.getByRole("button", { name: /^Watch it here/ }).click();
  await asked.waitFor({ state: "detached" });

  // What has finished and was not seen is told by the window, too.
  expect(await page.title()).not.toMatch(/^✓/);
  const icon = () => page.locator("link[rel=icon]").getAttribute("href");
  const calm = await icon();
  await page.evaluate(
    ([cwd]) =>
      fetch("api/v1/sessions", {
        method: "POST",
        headers: { "content-type": "application/json", "x-quarterdeck": "1" },
        body: JSON.stringify({ options: { cwd }, message: { id: crypto.randomUUID(), text: "Elsewhere" } }),
      }),
    [deck.work],
  );
  await expect.poll(() => page.title()).toMatch(/^✓ /);
  await expect.poll(() => icon()).not.toBe(calm);
  await page.locator(".list .srow", { hasText: "Elsewhere" }).click();
  await expect.poll(() => page.title()).toBe("Elsewhere");
  await expect.poll(() => icon()).toBe(calm);
});
