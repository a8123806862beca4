// What was said is found, and where: in all sessions, and in the list; by title, by folder and by words.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { at, button, conversation, link, openSession, read, write } from "./session";
import { story, talkedSession } from "./sessions.story";

const bridge = bridgeForEach(story);

test("found by what was said, and opened there", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await talkedSession(screen, deck.work);
  await write(screen, "Remove the notes");
  await button(screen, /^Deny/).first().click();
  await read(screen, "The notes are gone.");
  await write(screen, "And now?");
  await read(screen, /marmalade/);
  await link(screen, "Search").click();
  const field = page.getByRole("searchbox", { name: "Search all sessions" });
  await field.fill("cargo te");
  const hit = page.locator("a.hit").first();
  await hit.waitFor();
  await page.getByText(/1 hit in 1 session/).waitFor();
  await page.locator(".preview-item").first().waitFor();
  await screen.isGood();
  // It is marked for two seconds.
  const found = page.waitForFunction(() => document.querySelector(".trow.is-found") !== null);
  await field.press("Enter");
  await found;
  expect(page.url()).toContain(`${id}/at/`);
  expect(await conversation(screen).getByText("cargo test").first().isVisible()).toBe(true);
  await at(screen, "#/search");
  await field.fill("nothing has these words");
  await page.getByText(/Nothing found for/).waitFor();
  // The list finds it too.
  await at(screen, "#/");
  await button(screen, "Find sessions").click();
  await page.getByRole("searchbox", { name: /Find sessions/ }).fill("marmalade");
  await page.locator(".list a.hit", { hasText: "marmalade" }).waitFor();
  await screen.isGood();
});

test("of two projects the one is found by its folder, its title and its words, and hits are narrowed to it", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  for (const [folder, words] of [
    ["reef", "Chart the lagoon"],
    ["tern", "Count the gulls"],
  ] as const) {
    const cwd = join(deck.work, folder);
    mkdirSync(cwd);
    await openSession(screen, cwd);
    await write(screen, words);
    await button(screen, /^Deny/).first().click();
    await read(screen, "All of them pass.");
  }
  await at(screen, "#/");
  const row = (title: string) => page.locator(".list .srow", { hasText: title });
  await row("Count the gulls").waitFor();
  await button(screen, "Find sessions").click();
  const field = page.getByRole("searchbox", { name: /Find sessions/ });
  for (const words of ["reef", "lagoon", "work reef chart"]) {
    await field.fill(words);
    await row("Count the gulls").waitFor({ state: "detached" });
    await row("Chart the lagoon").waitFor();
    await field.fill("");
    await row("Count the gulls").waitFor();
  }
  // Words that both have said are in both; neither is called so.
  await field.fill("cargo test");
  await row("Chart the lagoon").waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".list a.hit").count()).toBe(2);
  await screen.isGood();
  await button(screen, "Stop finding").click();
  await at(screen, "#/search/cargo%20test");
  const found = (words: RegExp) => page.getByRole("status").getByText(words).waitFor();
  await found(/^2 hits in 2 sessions/);
  const project = page.getByRole("region", { name: "Project" }).getByRole("button");
  await expect.poll(() => project.allTextContents()).toEqual(["Any2", "reef1", "tern1"]);
  await project.filter({ hasText: "tern" }).click();
  await found(/^1 hit in 1 session/);
  await expect
    .poll(() => page.locator(".hit-group").allTextContents())
    .toEqual([expect.stringContaining("Count the gulls")]);
  await expect.poll(() => project.filter({ hasText: "tern" }).getAttribute("aria-pressed")).toBe("true");
  await screen.isGood();
  await project.filter({ hasText: "Any" }).click();
  await found(/^2 hits in 2 sessions/);
});
