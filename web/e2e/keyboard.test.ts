// Without a pointer: found, opened, written, allowed, refused, interrupted.

import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { closeBrowser, Screen } from "./screen";
import { button, composer, openSession, read } from "./session";
import { calls, says, turn } from "./story";

const story = {
  turns: [
    turn([calls("Bash", { command: "ls" }, "a.txt", { asks: true })], [says("One file.")]),
    turn([calls("Bash", { command: "rm a.txt" }, "gone", { asks: true })], [says("As you like.")]),
    [{ message: { blocks: [says("This takes long.")] } }, { wait_for: "control_request/interrupt" }],
  ],
};

let deck: Deck;
let screen: Screen;

beforeEach(async () => {
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url);
});

afterEach(async () => {
  await screen.close();
  await deck.end();
});

afterAll(closeBrowser);

/** Presses a key until something is so: keys of a prompt hold only when it has been there for a moment. */
async function pressUntil(key: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let times = 0; times < 60; times++) {
    if (await isSo()) return;
    await screen.page.keyboard.press(key);
  }
  expect.fail(`${key} did nothing`);
}

test("a session from its opening to its interrupt", async () => {
  await openSession(screen, deck.work);
  const { keyboard } = screen.page;
  await screen.page.evaluate(() => {
    location.hash = "#/";
  });
  // The way to the session, and into it.
  const row = screen.page.locator(".srow").first();
  await row.waitFor();
  await pressUntil("Tab", () => row.evaluate((element) => element === document.activeElement));
  await keyboard.press("Enter");
  const field = composer(screen);
  await field.waitFor();
  await pressUntil("Tab", () => field.evaluate((element) => element === document.activeElement));
  await keyboard.type("What is there?");
  await keyboard.press("Enter");
  await button(screen, /^Allow once/).waitFor();
  await pressUntil("a", async () => (await button(screen, /^Allow once/).count()) === 0);
  await read(screen, "One file.");
  await pressUntil("Tab", () => field.evaluate((element) => element === document.activeElement));
  await field.fill("");
  await keyboard.type("Remove it");
  await keyboard.press("Enter");
  await button(screen, /^Allow once/).waitFor();
  await pressUntil("Escape", async () => (await button(screen, /^Allow once/).count()) === 0);
  await read(screen, "As you like.");
  await pressUntil("Tab", () => field.evaluate((element) => element === document.activeElement));
  await keyboard.type("Go on");
  await keyboard.press("Enter");
  await read(screen, "This takes long.");
  await pressUntil("Escape", async () => (await screen.page.getByText(/interrupted/i).count()) > 0);
  expect(screen.faults).toEqual([]);
});
