// A conversation with the scripted agent: words, a prompt that is allowed and one that is denied, a reload, a killed server, two screens.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { Screen } from "./screen";
import { button, composer, conversation, linesOf, look, openSession, openSteps, read, write } from "./session";
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

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1";

const bridge = bridgeForEach(story);

test("one writes, the agent asks, one allows, and the turn folds to a line and its answer", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await screen.isGood();
  await write(screen, "Clean up");
  await button(screen, /^Allow once/).waitFor();
  await screen.page.getByText("rm -r build").first().waitFor();
  await expect.poll(() => screen.page.title()).toMatch(/^\(1\) /);
  await screen.isGood();
  await button(screen, /^Allow once/).click();
  await read(screen, "It is gone now.");
  await conversation(screen)
    .getByText(/\d steps/)
    .waitFor();
  await expect.poll(() => conversation(screen).locator("em").textContent()).toBe("gone");
  await expect.poll(() => screen.page.title()).not.toMatch(/^\(/);
  await screen.isGood();
});

test("a refusal with a reason reaches the agent, and the card says who refused", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await write(screen, "Clean up");
  await button(screen, /^Deny and say why/).click();
  await screen.page.keyboard.type("Keep it, please");
  await button(screen, /^Deny/).last().click();
  await read(screen, "It is gone now.");
  await conversation(screen)
    .getByText(/\d steps/)
    .click();
  await read(screen, /^Denied by you, \d/);
  await read(screen, /“.*Keep it, please.*”/);
  await screen.isGood();
});

test("a key that was meant for something else answers no prompt that has just come", async () => {
  const { deck, screen } = bridge;
  const id = await openSession(screen, deck.work);
  /** Where the clock of the page stands: so long after the prompt came. */
  const stop = (after: number) =>
    screen.page.evaluate((ms) => {
      const of = window as unknown as { stopped?: number };
      of.stopped ??= performance.now();
      const now = of.stopped + ms;
      performance.now = () => now;
    }, after);
  await stop(0);
  await write(screen, "Clean up");
  await button(screen, /^Allow once/).waitFor();
  const prompt = screen.page.locator(".ask-slot:not([hidden]) form.ask");
  const answers = () => linesOf(screen, id, "control_response", "stdin");
  for (const after of [0, 390]) {
    await stop(after);
    for (const key of ["a", "d", "s", "Enter", "Escape"]) await prompt.press(key);
    expect(await answers()).toEqual([]);
  }
  await stop(410);
  await prompt.press("a");
  await read(screen, "It is gone now.");
  await expect.poll(() => answers()).toHaveLength(1);
});

test("a page that is loaded again, and a server that is killed, lose nothing", async () => {
  const { deck, screen } = bridge;
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
  expect(await screen.barriers()).toEqual([]);
  await deck.serve();
  await screen.page.getByText("Live", { exact: true }).first().waitFor();
  await expect.poll(() => composer(screen).inputValue()).toBe("half a thou");
  await button(screen, /^Allow once/).click();
  await read(screen, "It is gone now.");
  await look(screen, id);
});

test("what one screen answers is answered on the other", async () => {
  const { deck, screen } = bridge;
  const id = await openSession(screen, deck.work);
  const other = await Screen.open(await deck.anotherUrl(), { phone: true, userAgent: IPHONE });
  await write(screen, "Clean up");
  await look(other, id);
  // It is said for a moment, so it is listened for before it is.
  const told = screen.page.waitForFunction(() => document.querySelector(".gone")?.textContent);
  await button(other, /^Allow once/).click();
  expect(await (await told).jsonValue()).toMatch(/^Allowed on Safari on iPhone, \d.*Run this command\?$/);
  await read(screen, "It is gone now.");
  expect(await button(screen, /^Allow once/).count()).toBe(0);
  await openSteps(screen);
  await conversation(screen)
    .getByRole("button", { name: /rm -r build/ })
    .click();
  await read(screen, /^Allowed by Safari on iPhone, \d/);
  await other.isGood();
  await screen.isGood();
  await other.close();
});
