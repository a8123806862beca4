// A question that comes while the inspector has taken the conversation's place: it must be seen, and can be answered.

import { afterEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import { button, conversation, openSession, read } from "./session";
import { calls, says, turn } from "./story";

const story = {
  turns: [turn([calls("Bash", { command: "rm -r build" }, "removed", { asks: true })], [says("It is gone now.")])],
};

let deck: Deck | undefined;
let screen: Screen | undefined;

afterEach(async () => {
  await screen?.close();
  await deck?.end();
});

async function begin(look: Parameters<typeof Screen.open>[1]): Promise<Screen> {
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url, look);
  const id = await openSession(screen, deck.work);
  await button(screen, "Open inspector").click();
  await screen.page.getByRole("tab", { name: /^Tasks/, selected: true }).waitFor();
  // Somebody else writes.
  await screen.page.evaluate(async (session) => {
    await fetch(`api/v1/sessions/${session}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-quarterdeck": "1" },
      body: JSON.stringify({ id: "5eba7181-9c80-44b2-baf0-985000000007", text: "Clean up" }),
    });
  }, id);
  return screen;
}

test("in a narrow window a strip leads to it", async () => {
  const { page } = await begin({ width: 860 });
  const strip = page.getByRole("button", { name: "The agent waits for your answer Answer" });
  await strip.waitFor();
  expect(await screen?.barriers()).toEqual([]);
  await strip.click();
  await page.getByRole("button", { name: /^Allow once/ }).click();
  if (screen) await read(screen, "It is gone now.");
});

test("on a phone the sheet comes to the front, and the page below goes on", async () => {
  const { page } = await begin({ phone: true });
  const sheet = page.getByRole("dialog", { name: "The agent asks" });
  await sheet.waitFor();
  await sheet.getByText("rm -r build").first().waitFor();
  await sheet.getByRole("button", { name: /^Put away/ }).click();
  await page.getByRole("button", { name: "The agent waits for your answer Answer" }).click();
  if (screen) await conversation(screen).waitFor();
});

test("Escape leads back to the conversation, and interrupts nothing", async () => {
  const { page } = await begin({ width: 860 });
  await page.getByRole("button", { name: /^The agent waits/ }).waitFor();
  await page.getByRole("tab", { name: /^Tasks/ }).focus();
  await page.keyboard.press("Escape");
  await page.getByRole("complementary", { name: "Inspector" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Allow once/ }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain("title-button");
});
