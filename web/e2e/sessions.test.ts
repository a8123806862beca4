// Managing sessions: renamed, forked, forked from a message, archived, deleted, and files that are put back.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import type { Screen } from "./screen";
import { at, button, choose, composer, conversation, here, read, write } from "./session";
import { story, talkedSession } from "./sessions.story";

const bridge = bridgeForEach(story);

const rowMenu = async ({ page }: Screen, title: string, entry: string) => {
  const row = page.locator(".list .srow-box", { hasText: title }).first();
  await row.hover();
  await row.getByRole("button", { name: `Actions for ${title}` }).click();
  await page.getByRole("menuitem", { name: entry }).click();
};

test("renamed, unread, archived and found there, forked, deleted with what is lost in words", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await talkedSession(screen, deck.work);
  await page.locator(".title-button").click();
  await page.getByRole("textbox", { name: "Title of the session" }).fill("Green tests");
  await page.keyboard.press("Enter");
  await page.locator(".list .srow", { hasText: "Green tests" }).waitFor();
  const row = page.locator(".list .srow", { hasText: "Green tests" });
  // As if nobody had seen it, and then as if somebody had.
  await at(screen, "#/");
  await rowMenu(screen, "Green tests", "Mark as unread");
  const unread = page.getByRole("region", { name: "Done, unread" });
  await unread.locator(".srow", { hasText: "Green tests" }).waitFor();
  await screen.isGood();
  await page.reload();
  await unread.locator(".srow", { hasText: "Green tests" }).waitFor();
  await rowMenu(screen, "Green tests", "Mark as read");
  await unread.waitFor({ state: "detached" });
  // Into the archive, back at once, and in again: there it is found, by its title and by what was said, and taken out.
  await rowMenu(screen, "Green tests", "Archive");
  await row.waitFor({ state: "detached" });
  await button(screen, "Undo").click();
  await row.waitFor();
  await rowMenu(screen, "Green tests", "Archive");
  await row.waitFor({ state: "detached" });
  await button(screen, "What is shown").click();
  await page.getByRole("menuitemradio", { name: "Archive" }).click();
  await page.getByRole("heading", { name: "Archive" }).waitFor();
  await row.waitFor();
  await screen.isGood();
  await button(screen, "Find sessions").click();
  const field = page.getByRole("searchbox", { name: /Find sessions/ });
  await field.fill("no such title");
  await page.getByText("No title and no folder has “no such title”.").waitFor();
  await field.fill("green");
  await row.waitFor();
  await field.fill("cargo test");
  await row.waitFor({ state: "detached" });
  await page.locator(".list a.hit", { hasText: "cargo test" }).first().waitFor();
  await screen.isGood();
  await button(screen, "Stop finding").click();
  await rowMenu(screen, "Green tests", "Take out of the archive");
  await page.getByText("The archive is empty.").waitFor();
  await button(screen, "Back to the sessions").click();
  await row.waitFor();
  // A new session that begins with all of it.
  await at(screen, "#/new/fork");
  const start = page.getByRole("dialog", { name: "New session" });
  await start.getByRole("searchbox").fill("red tests");
  await start.getByText(/^Nothing found for “red tests”/).waitFor();
  await start.getByRole("searchbox").fill("green");
  await screen.isGood();
  await start.getByRole("button", { name: /^Green tests/ }).click();
  await start.waitFor({ state: "detached" });
  await expect.poll(() => here(screen)).not.toBe(id);
  await read(screen, "All of them pass.");
  expect(deck.agents().filter((argv) => argv.join(" ").includes(`--resume ${id} --fork-session`))).toHaveLength(1);
  await choose(screen, /^Actions for/, "Delete …");
  await page.getByRole("button", { name: "Delete session" }).click();
  await row.waitFor();
  await rowMenu(screen, "Green tests", "Delete …");
  const dialog = page.getByRole("dialog", { name: "Delete this session?" });
  await dialog.getByText(/removed for good/).waitFor();
  await screen.isGood();
  await dialog.getByRole("button", { name: "Delete session" }).click();
  await page.getByText("Start your first session").waitFor();
});

test("forked from a message, which goes along to be said otherwise", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await talkedSession(screen, deck.work);
  await write(screen, "Remove the notes");
  await button(screen, /^Deny/).first().click();
  await read(screen, "The notes are gone.");
  const mine = conversation(screen).getByRole("article").filter({ hasText: "Remove the notes" });
  await mine.hover();
  await mine.getByRole("button", { name: "Fork from here" }).click();
  const dialog = page.getByRole("dialog", { name: "Fork from here" });
  await dialog.getByText("All of them pass.").waitFor();
  await screen.isGood();
  await dialog.getByRole("button", { name: "Fork from here" }).click();
  await expect.poll(() => page.url().includes(id)).toBe(false);
  await expect.poll(() => composer(screen).inputValue()).toBe("Remove the notes");
  await read(screen, "All of them pass.");
  expect(await conversation(screen).getByText("The notes are gone.").count()).toBe(0);
});

test("files are put back only when the agent says that it can", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await talkedSession(screen, deck.work);
  const mine = conversation(screen).getByRole("article").filter({ hasText: "Run the tests" });
  await mine.hover();
  await mine.getByRole("button", { name: "Put files back to before this" }).click();
  const dialog = page.getByRole("dialog", { name: "Put files back" });
  await dialog.getByText(/kept no copies of the files/).waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "Put files back" }).isDisabled()).toBe(true);
  await screen.isGood();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
});
