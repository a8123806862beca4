// Sessions without a pointer: resumed, forked, archived and deleted, with the focus seen all the way.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { call, hasFocus, isRinged, press, walkTo } from "./hands";
import type { Screen } from "./screen";
import { composer, here, read } from "./session";
import { story, talkedSession } from "./sessions.story";

const bridge = bridgeForEach(story);

const row = ({ page }: Screen, title: string): Locator => page.locator(".list a.srow", { hasText: title });

const inList = ({ page }: Screen): Promise<boolean> =>
  page.locator(".list").evaluate((list) => list.contains(document.activeElement));

/** Goes to a session's row. The list is entered where one was in it before. */
async function goTo(screen: Screen, title: string): Promise<void> {
  await row(screen, title).waitFor();
  for (let times = 0; times < 20 && !(await inList(screen)); times++) await press(screen, "F6");
  await press(screen, "ArrowLeft");
  await walkTo(screen, row(screen, title));
}

/** Opens the menu of a session's row, and chooses an entry. */
async function choose(screen: Screen, title: string, entry: string): Promise<void> {
  await goTo(screen, title);
  const more = screen.page.getByRole("button", { name: `Actions for ${title}` }).first();
  await press(screen, "ArrowRight");
  await expect.poll(() => hasFocus(more)).toBe(true);
  await expect.poll(() => isRinged(screen)).toBe(true);
  await press(screen, "Enter");
  const menu = screen.page.getByRole("menu");
  // A menu that opens takes the focus; then one goes on from there.
  await screen.page.locator(".menu-entry:focus").waitFor();
  await walkTo(screen, menu.getByRole("menuitem", { name: entry }), "ArrowDown");
  await press(screen, "Enter");
}

const focusIsSomewhere = ({ page }: Screen) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);

test("forked, deleted, archived, and taken out of the archive", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await talkedSession(screen, deck.work);
  await composer(screen).focus();
  // Forked from the menu of its row: the new one is in front.
  await choose(screen, "Run the tests", "Fork");
  await expect.poll(() => here(screen)).not.toBe(id);
  await read(screen, "All of them pass.");
  await focusIsSomewhere(screen);
  // Deleted again: the key that is pressed too soon destroys nothing.
  const rows = page.locator(".list a.srow");
  await expect.poll(() => rows.count()).toBe(2);
  await walkTo(screen, page.locator("header.head").getByRole("button", { name: /^Actions for/ }), "Shift+Tab");
  await press(screen, "Enter");
  await page.locator(".menu-entry:focus").waitFor();
  await walkTo(screen, page.getByRole("menuitem", { name: "Delete …" }), "ArrowUp");
  await press(screen, "Enter");
  const dialog = page.getByRole("dialog", { name: "Delete this session?" });
  await expect.poll(() => hasFocus(dialog.getByRole("button", { name: "Cancel" }))).toBe(true);
  await press(screen, "Enter");
  await dialog.waitFor({ state: "detached" });
  await focusIsSomewhere(screen);
  await expect.poll(() => rows.count()).toBe(2);
  await walkTo(screen, page.locator("header.head").getByRole("button", { name: /^Actions for/ }), "Shift+Tab");
  await press(screen, "Enter");
  await page.locator(".menu-entry:focus").waitFor();
  await walkTo(screen, page.getByRole("menuitem", { name: "Delete …" }), "ArrowUp");
  await press(screen, "Enter");
  await walkTo(screen, dialog.getByRole("button", { name: "Delete session" }));
  await press(screen, "Enter");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => rows.count()).toBe(1);
  // Into the archive, and out of it.
  await choose(screen, "Run the tests", "Archive");
  await row(screen, "Run the tests").waitFor({ state: "detached" });
  await walkTo(screen, page.getByRole("button", { name: "What is shown" }));
  await press(screen, "Enter");
  await page.locator(".menu-entry:focus").waitFor();
  await walkTo(screen, page.getByRole("menuitemradio", { name: "Archive" }), "ArrowDown");
  await press(screen, "Enter");
  await row(screen, "Run the tests").waitFor();
  await choose(screen, "Run the tests", "Take out of the archive");
  await page.getByText("The archive is empty.").waitFor();
  await walkTo(screen, page.getByRole("button", { name: "Back to the sessions" }));
  await press(screen, "Enter");
  await row(screen, "Run the tests").waitFor();
  await screen.isGood();
});

test("a session of a terminal is found and resumed, and a fork begun from the dialog", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = "11111111-2222-4333-8444-777777777777";
  const projects = join(deck.place, ".claude", "projects", "-work");
  mkdirSync(projects, { recursive: true });
  const line = { type: "user", cwd: deck.work, sessionId: id, uuid: id, timestamp: new Date().toISOString() };
  const message = { role: "user", content: "Find the leak in the hull" };
  writeFileSync(join(projects, `${id}.jsonl`), `${JSON.stringify({ ...line, message })}\n`);
  await talkedSession(screen, deck.work);
  const first = here(screen);
  const dialog = page.getByRole("dialog", { name: "New session" });
  const kind = (name: string) => dialog.getByRole("navigation").getByRole("link", { name });
  await call(screen, "New session");
  await dialog.waitFor();
  await walkTo(screen, kind("Resume"), "Shift+Tab");
  await press(screen, "Enter");
  const find = dialog.getByRole("searchbox");
  await walkTo(screen, find);
  await page.keyboard.type("leak");
  const found = dialog.getByRole("button", { name: /^Find the leak/ });
  await walkTo(screen, found);
  await press(screen, "Enter");
  await dialog.waitFor({ state: "detached" });
  await read(screen, "Find the leak in the hull");
  await focusIsSomewhere(screen);
  // A fork of the other one, by its name.
  await call(screen, "New session");
  await dialog.waitFor();
  await walkTo(screen, kind("Fork"), "Shift+Tab");
  await press(screen, "Enter");
  await walkTo(screen, find);
  await page.keyboard.type("tests");
  await walkTo(screen, dialog.getByRole("button", { name: /^Run the tests/ }));
  await press(screen, "Enter");
  await dialog.waitFor({ state: "detached" });
  await read(screen, "All of them pass.");
  expect(here(screen)).not.toBe(first);
  await focusIsSomewhere(screen);
  await screen.isGood();
});
