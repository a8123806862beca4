// The inspector of a long session: what is not on the page is told as one row, and is brought when somebody asks.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import { openSession, runTurnsOffScreen } from "./session";
import { calls, says, turn } from "./story";

const TURNS = 5;
const CALLS = 60;

/** Enough calls that the first turns are not sent to a screen at once, and enough pieces that no page of the log has them all. */
const story = {
  turns: [
    [{ flood: { deltas: 3000 } }],
    ...Array.from({ length: TURNS }, (_, at) =>
      turn(
        Array.from({ length: CALLS }, (_, call) => calls("Read", { file_path: `/project/${at}-${call}.ts` }, "1\tx")),
        [says(`Turn ${at} is done.`)],
      ),
    ),
  ],
};

let deck: Deck;
let screen: Screen;
let session: string;

beforeAll(async () => {
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url);
  session = await openSession(screen, deck.work);
  await runTurnsOffScreen(screen, session, ["A flood", ...Array.from({ length: TURNS }, (_, at) => `Prompt ${at}`)]);
  await screen.close();
});

afterEach(() => screen.close());
afterAll(() => deck.end());

test("turns that are not on the page are one row, and come when they are asked for", async () => {
  screen = await Screen.open(await deck.anotherUrl(), { phone: true });
  const { page } = screen;
  await page.evaluate((id) => (location.hash = `#/s/${id}/cost`), session);
  const turns = page.getByRole("region", { name: "By turn" });
  await turns.getByText(/^\d+ earlier turns?$/).waitFor();
  const shown = await turns.locator(".pane-fold-head").count();
  expect(shown).toBeLessThan(TURNS + 1);
  await turns.getByRole("button", { name: "Load earlier turns" }).click();
  await expect.poll(() => turns.locator(".pane-fold-head").count()).toBe(TURNS + 1);
  await turns.getByText(/^\d+ earlier turns?$/).waitFor({ state: "detached" });
  await screen.isGood();
});

test("the log is looked through for what is far back, and a link leads right there", async () => {
  screen = await Screen.open(await deck.anotherUrl());
  const { page } = screen;
  await page.evaluate((id) => (location.hash = `#/s/${id}/raw`), session);
  const lines = page.locator(".rec-line");
  await lines.filter({ hasText: "result success" }).last().waitFor();
  await page.getByRole("combobox", { name: "Kind of record" }).selectOption("stream_event");
  await expect.poll(() => lines.count()).toBeGreaterThan(10);
  // Many are there, few are drawn.
  await expect.poll(() => lines.count()).toBeLessThan(80);
  await page.getByRole("combobox", { name: "Kind of record" }).selectOption("whole");
  await page.getByRole("searchbox", { name: "Find in records" }).fill("A flood");
  await lines.filter({ hasText: "A flood" }).first().waitFor();
  await page.evaluate((id) => (location.hash = `#/s/${id}/raw/7`), session);
  await page.locator(".rec.marked.open", { hasText: "seq: 7" }).waitFor();
  await screen.isGood();
});
