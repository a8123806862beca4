// Without a pointer: found, opened, written, allowed, refused, interrupted.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { button, composer, openSession, read } from "./session";
import { calls, says, turn } from "./story";

const story = {
  turns: [
    turn([calls("Bash", { command: "ls" }, "a.txt", { asks: true })], [says("One file.")]),
    turn([calls("Bash", { command: "rm a.txt" }, "gone", { asks: true })], [says("As you like.")]),
    [{ message: { blocks: [says("This takes long.")] } }, { wait_for: "control_request/interrupt" }],
  ],
};

const bridge = bridgeForEach(story);

/** Presses a key until something is so: keys of a prompt hold only when it has been there for a moment. */
async function pressUntil(key: string, isSo: () => Promise<boolean>): Promise<void> {
  const tried = async () => {
    if (await isSo()) return true;
    await bridge.screen.page.keyboard.press(key);
    return isSo();
  };
  await expect.poll(tried).toBe(true);
}

test("a session from its opening to its interrupt", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  const { keyboard } = screen.page;
  await screen.page.evaluate(() => {
    location.hash = "#/";
  });
  // The way to the session, and into it.
  // Its agent has started, and its row is where it stays.
  const row = screen.page.locator(".list .srow.read").first();
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
  // The key was meant for the prompt, and for nothing else.
  expect(await field.inputValue()).toBe("");
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
  await screen.isGood();
});
