// Who reads above the end is left in peace: what streams and what comes moves nothing. What was said long ago comes when one goes
// there. A page that is older than its server says so.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { button, choose, composer, conversation, look, openSession, read, write } from "./session";
import { calls, line, says, turn } from "./story";

const LONG = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}`).join("\n\n");
const NOTES = 900;
/** Long enough to push the end out of sight when it is unfolded. */
const READ = Array.from({ length: 40 }, (_, at) => `${at + 1}\tline ${at}`).join("\n");

const bridge = bridgeForEach({
  turns: [
    turn([says(LONG)]),
    [
      ...turn([says("I begin.")]),
      { wait_for: "control_request/set_permission_mode" },
      ...turn(...["a", "b", "c"].map((name) => [calls("Read", { file_path: `/tmp/${name}` }, READ, { asks: false })])),
      { wait_for: "control_request/set_model" },
      { paced: { deltas: 300, every_ms: 10 } },
    ],
    [...Array.from({ length: NOTES }, (_, at) => line({ type: `note-${at}-` })), ...turn([says("All is noted.")])],
  ],
});

type Watched = Window & { tops: Set<number> };

/** Notes, frame by frame, where something stands on the screen. Gives all the places, in whole pixels. */
async function watchPlace(words: string): Promise<() => Promise<number[]>> {
  await conversation(bridge.screen)
    .getByText(words, { exact: true })
    .evaluate((element) => {
      const tops = new Set<number>();
      Object.assign(window, { tops });
      const look = () => {
        tops.add(Math.round(element.getBoundingClientRect().top));
        requestAnimationFrame(look);
      };
      look();
    });
  return () => bridge.screen.page.evaluate(() => [...(window as unknown as Watched).tops]);
}

const isAtEnd = () =>
  conversation(bridge.screen).evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 40);

test("who reads above stays there while rows come and words stream, and is told how many came", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await write(screen, "Tell me");
  await read(screen, "Paragraph 59");
  await write(screen, "And work");
  await read(screen, "I begin.");
  const jump = button(screen, /^Jump to latest/);
  expect(await jump.count()).toBe(0);
  await conversation(screen).press("Home");
  await jump.waitFor();
  await conversation(screen).getByText("Paragraph 3", { exact: true }).waitFor();
  const places = await watchPlace("Paragraph 3");
  await choose(screen, /^Permissions/, /^Plan/);
  await button(screen, "Jump to latest (3 new)").waitFor();
  await screen.isGood();
  // Now a text grows below, and the turn ends.
  await choose(screen, /^Model/, /^Haiku/);
  await screen.page.getByRole("button", { name: "Send", exact: true }).waitFor();
  expect(await places()).toHaveLength(1);
  await jump.click();
  await jump.waitFor({ state: "detached" });
  // At the end one stays at the end.
  await expect.poll(isAtEnd).toBe(true);
  expect(await jump.count()).toBe(0);
});

test.each(["at once", "after the end has gone out of sight"])(
  "who opens something at the end and closes it %s goes on following",
  async (when) => {
    const { deck, screen } = bridge;
    await openSession(screen, deck.work);
    await write(screen, "Tell me");
    await read(screen, "Paragraph 59");
    await write(screen, "And work");
    await read(screen, "I begin.");
    await choose(screen, /^Permissions/, /^Plan/);
    const step = conversation(screen).getByRole("button", { name: /^Read .*\/c/ });
    await step.click();
    await expect.poll(() => step.getAttribute("aria-expanded")).toBe("true");
    const jump = button(screen, /^Jump to latest/);
    if (when !== "at once") await jump.waitFor();
    await step.click();
    await expect.poll(() => step.getAttribute("aria-expanded")).toBe("false");
    await jump.waitFor({ state: "detached" });
    await choose(screen, /^Model/, /^Haiku/);
    await screen.page.getByRole("button", { name: "Send", exact: true }).waitFor();
    await expect.poll(isAtEnd).toBe(true);
    expect(await jump.count()).toBe(0);
  },
);

test("what was said long ago comes as one goes up, and one can try again when it does not", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await openSession(screen, deck.work);
  for (const words of ["One", "Two"]) {
    await write(screen, words);
    await read(screen, words === "One" ? "Paragraph 59" : "I begin.");
  }
  await choose(screen, /^Permissions/, /^Plan/);
  await choose(screen, /^Model/, /^Haiku/);
  await button(screen, "Send").waitFor();
  await write(screen, "Note it all");
  await read(screen, "All is noted.");
  // A page that knows nothing yet has only the end of it.
  let isDown = true;
  await page.route(/\/items\?/, (route) => (isDown ? route.abort() : route.continue()));
  await page.reload();
  await look(screen, id);
  await read(screen, "All is noted.");
  await conversation(screen).press("Home");
  await page.getByText("Could not load older turns.").waitFor();
  await screen.isGood();
  isDown = false;
  await button(screen, "Try again").click();
  await page.getByText("Could not load older turns.").waitFor({ state: "detached" });
  // Window by window to the beginning: no row is left out, and none stands in another place.
  const seen = new Set<number>();
  const first = conversation(screen).getByText("Paragraph 0", { exact: true });
  while ((await first.count()) === 0) {
    const drawn = await conversation(screen).locator("[data-key]").allTextContents();
    const numbers = drawn.flatMap((words) => /note-(\d+)-/.exec(words)?.[1] ?? []).map(Number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const number of numbers) seen.add(number);
    await conversation(screen).evaluate(async (log) => {
      log.scrollTop -= log.clientHeight / 2;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
  }
  // One began at the first of those that the page had, somewhat before the end.
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: seen.size }, (_, at) => at));
  expect(seen.size).toBeGreaterThan(NOTES - 250);
});

test("a server that was built anew tells the open page to load again", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await openSession(screen, deck.work);
  await composer(screen).fill("half a thought");
  await deck.kill();
  await page
    .getByText(/Offline since/)
    .first()
    .waitFor();
  // The same server comes back: nothing is said. Then one whose page has other parts.
  await deck.serve();
  await page.getByText("Live", { exact: true }).first().waitFor();
  const strip = page.getByText("Quarterdeck was updated. Load the page again to use the new version.");
  expect(await strip.count()).toBe(0);
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/index-[^."]+\./g, "index-new.") });
    },
  );
  await deck.kill();
  await page
    .getByText(/Offline since/)
    .first()
    .waitFor();
  await deck.serve();
  await strip.waitFor();
  await screen.isGood();
  await page.unrouteAll();
  await expect.poll(() => composer(screen).inputValue()).toBe("half a thought");
  await button(screen, "Load again").click();
  await expect.poll(() => composer(screen).inputValue()).toBe("half a thought");
  expect(await strip.count()).toBe(0);
});
