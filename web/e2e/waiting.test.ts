// What was sent and is not taken yet, what waits and is changed too late, and words that are found where nothing is drawn.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import { afterUp, button, choose, composer, conversation, openSession, read, turnEnds, write } from "./session";
import { calls, says, turn } from "./story";

const LINES = Array.from({ length: 300 }, (_, at) => `Paragraph ${at + 1}.`).join("\n\n");

let deck: Deck;
let screen: Screen;

beforeAll(async () => {
  deck = await Deck.start({
    turns: [
      turn([calls("Bash", { command: "cat harbour.txt" }, "An albatross sits on the pier.")], [says(LINES)]),
      [{ message: { blocks: [says("I work.")] } }, { wait_for: "control_request/set_model" }],
      turn([says("That was what waited.")]),
    ],
  });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
});

afterAll(async () => {
  await screen.close();
  await deck.end();
});

test("words are found in what is folded and far away, and leave one there", async () => {
  await write(screen, "Look at the harbour");
  await read(screen, "Paragraph 300.");
  await turnEnds(screen);
  await screen.page.keyboard.press("Control+f");
  const field = screen.page.getByRole("searchbox", { name: "Find in this session" });
  await field.fill("albatross");
  await field.press("Enter");
  await screen.page.getByRole("search").getByText("1 of 1").waitFor();
  await read(screen, "An albatross sits on the pier.");
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await screen.isGood();
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  // Where it was found one walks on.
  const row = conversation(screen).locator(".trow", { hasText: "An albatross" });
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
  await screen.page.keyboard.press("Control+f");
  await field.fill("zebra");
  await screen.page.getByText("Nothing found").waitFor();
  await field.press("Escape");
  await expect.poll(() => composer(screen).evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a message that is not taken yet is taken back and edited; one that is changed too late is not lost", async () => {
  await write(screen, "Work");
  await button(screen, /^Jump to latest/).click();
  await read(screen, "I work.");
  const sent = screen.page.getByRole("list", { name: "Messages that the agent has not taken yet" });
  await composer(screen).fill("Faster");
  await composer(screen).press("Control+Enter");
  await sent.getByText("Faster").waitFor();
  await screen.isGood();
  await button(screen, "Take the message back and edit it").click();
  await sent.waitFor({ state: "detached" });
  await expect.poll(() => composer(screen).inputValue()).toBe("Faster");
  await composer(screen).press("Control+Enter");
  await button(screen, "Take the message back").last().click();
  await sent.waitFor({ state: "detached" });
  await expect.poll(() => afterUp(screen)).toBe("Faster");

  await write(screen, "And then rest");
  await button(screen, "Edit queued message 1").click();
  await screen.page.getByRole("textbox", { name: "Queued message 1" }).fill("And then sing");
  await choose(screen, /^Model/, /^Haiku/);
  await read(screen, "That was what waited.");
  await conversation(screen).getByText("And then rest").waitFor();
  await expect.poll(() => composer(screen).inputValue()).toBe("And then sing");
  await screen.page.getByText(/^The message was gone/).waitFor();
  expect(await conversation(screen).getByText("Faster").count()).toBe(0);
  await screen.isGood();
});
