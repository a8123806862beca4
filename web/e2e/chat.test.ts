// A conversation with the scripted agent: words, a prompt that is allowed and one that is denied, a reload, a killed server, two screens.

import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { closeBrowser, Screen } from "./screen";
import { button, composer, conversation, look, openSession, read, write } from "./session";
import { calls, says, thinks, turn } from "./story";

const story = {
  turns: [
    turn(
      [thinks("Which files are there?"), says("I look which **files** there are.")],
      [calls("Bash", { command: "rm -r build", description: "Remove the build" }, "removed", { asks: true })],
      [says("It is *gone* now.")],
    ),
    turn([calls("Bash", { command: "ls" }, "a.txt", { asks: true })], [says("Then I leave it.")]),
    [{ message: { blocks: [says("This goes on.")] } }, { wait_for: "control_request/interrupt" }],
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

test("one writes, the agent asks, one allows, and the turn folds to a line and its answer", async () => {
  await openSession(screen, deck.work);
  await screen.isGood();
  await write(screen, "Clean up");
  await button(screen, /^Allow once/).waitFor();
  await screen.page.getByText("rm -r build").first().waitFor();
  expect(await screen.page.title()).toMatch(/^\(1\) /);
  await screen.isGood();
  await button(screen, /^Allow once/).click();
  await read(screen, "It is gone now.");
  await conversation(screen)
    .getByText(/\d steps/)
    .waitFor();
  expect(await conversation(screen).locator("em").textContent()).toBe("gone");
  expect(await screen.page.title()).not.toMatch(/^\(/);
  await screen.isGood();
});

test("a refusal with a reason reaches the agent, and the card says who refused", async () => {
  await openSession(screen, deck.work);
  await write(screen, "Clean up");
  await button(screen, /^Deny and say why/).click();
  await screen.page.keyboard.type("Keep it, please");
  await button(screen, /^Deny/).last().click();
  await read(screen, "It is gone now.");
  await conversation(screen)
    .getByText(/\d steps/)
    .click();
  await read(screen, /Denied/);
  await screen.isGood();
});

test("a page that is loaded again, and a server that is killed, lose nothing", async () => {
  const id = await openSession(screen, deck.work);
  await write(screen, "Clean up");
  await button(screen, /^Allow once/).waitFor();
  await screen.page.reload();
  await button(screen, /^Allow once/).waitFor();
  await composer(screen).fill("half a thou");
  await deck.kill();
  await screen.page
    .getByText(/Offline since/)
    .first()
    .waitFor();
  await deck.serve();
  await screen.page.getByText("Live", { exact: true }).first().waitFor();
  expect(await composer(screen).inputValue()).toBe("half a thou");
  await button(screen, /^Allow once/).click();
  await read(screen, "It is gone now.");
  await look(screen, id);
  expect(screen.faults).toEqual([]);
});

test("what one screen answers is answered on the other", async () => {
  const id = await openSession(screen, deck.work);
  const other = await Screen.open(await deck.anotherUrl(), { phone: true });
  await write(screen, "Clean up");
  await look(other, id);
  await button(other, /^Allow once/).click();
  await read(screen, "It is gone now.");
  expect(await button(screen, /^Allow once/).count()).toBe(0);
  await other.isGood();
  await screen.isGood();
  await other.close();
});
