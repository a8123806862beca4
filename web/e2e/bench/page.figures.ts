// How fast the page is: a long session opened beside a short one, typing while that long one streams beside a page that is empty, and
// what is fetched before anything can be done. Goes as JSON into the file that `QUARTERDECK_FIGURES` names; `cargo xtask bench page` judges it.

import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { Deck, needed } from "../deck";
import { closeBrowser, Screen } from "../screen";
import { composer, conversation, look, openSession, read, write } from "../session";
import { calls, says, thinks } from "../story";

/** How many turns of about five hundred events: more than fifty thousand in all, and one. */
const LONG_TURNS = Number(process.env.QUARTERDECK_LONG_TURNS ?? 95);
const SHORT_TURNS = 1;
const ROUNDS = Number(process.env.QUARTERDECK_ROUNDS ?? 7);
const KEYS = 120;

/** A turn of about five hundred events: a thought, calls that ask for nothing, an answer in Markdown, and a text that comes in many pieces. */
const workday = [
  {
    message: {
      blocks: [thinks("The lexer counts bytes where it should count columns."), says("I look at the lexer first.")],
    },
  },
  {
    message: {
      blocks: [calls("Grep", { pattern: "column", path: "src" }, "src/lexer.rs:12\nsrc/parser.rs:80")],
    },
  },
  { message: { blocks: [calls("Read", { file_path: "src/lexer.rs" }, "1\tfn main() {}\n2\t\n")] } },
  { flood: { deltas: 440 } },
  {
    message: {
      blocks: [
        says(
          "## Done\n\n* Columns are **columns** now\n* `cargo test` passes\n\n```rust\nfn main() {}\n```\n\nThe end.",
        ),
      ],
    },
  },
];

/** The turn after those: a piece every few milliseconds, as a quick model writes. */
const writing = [{ paced: { deltas: 60_000, every_ms: 8 } }];

afterAll(closeBrowser);

test("figures", async () => {
  const deck = await Deck.start({ turns: [...Array.from({ length: LONG_TURNS }, () => workday), writing] });
  try {
    const screen = await Screen.open(deck.url);
    const long = await sessionOf(screen, deck.work, LONG_TURNS, LONG);
    const short = await sessionOf(screen, deck.work, SHORT_TURNS, SHORT);
    await screen.close();
    const opening = await sessionsOpened(deck);
    const typing = await keysTyped(deck, long.id);
    const events = { longEvents: long.events, shortEvents: short.events };
    writeFileSync(needed("QUARTERDECK_FIGURES"), JSON.stringify({ ...events, ...opening, ...typing }));
  } finally {
    await deck.end();
  }
});

const [LONG, SHORT] = ["A long session", "A short session"];

/** Milliseconds from the click on a session to the paint that shows its end, for a long one and a short one; and the bytes of all
 * scripts that were fetched until then. */
async function sessionsOpened(deck: Deck) {
  const opened: { long: number[]; short: number[] } = { long: [], short: [] };
  let scriptBytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Who is first changes.
    const order = round % 2 === 0 ? (["long", "short"] as const) : (["short", "long"] as const);
    for (const which of order) {
      // Neither the server nor the browser knows anything from before: both are started anew.
      await deck.kill();
      await deck.serve();
      const cold = await Screen.open(deck.url);
      await cold.page.getByRole("link", { name: LONG }).first().waitFor();
      opened[which].push(await clickToPaint(cold.page, which === "long" ? LONG : SHORT));
      await composer(cold).waitFor();
      scriptBytes = Math.max(scriptBytes, await cold.scriptBytes());
      expect(cold.faults).toEqual([]);
      await cold.close();
    }
  }
  return { openedLongMs: opened.long, openedShortMs: opened.short, scriptBytes };
}

/** A session with so many turns. Gives how many records it has. */
async function sessionOf(
  screen: Screen,
  work: string,
  turns: number,
  title: string,
): Promise<{ id: string; events: number }> {
  const id = await openSession(screen, work, { title });
  const events = await screen.page.evaluate(
    async ([session, wanted]) => {
      const ask = async (path: string, body?: unknown) => {
        const answer = await fetch(`api/v1/sessions/${session}${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { "content-type": "application/json", "x-quarterdeck": "1" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.status === 204 ? undefined : ((await answer.json()) as { turns: number; lastTurnSeq: number });
      };
      for (;;) {
        const before = await ask("");
        if ((before?.turns ?? 0) >= wanted) return before?.lastTurnSeq ?? 0;
        await ask("/messages", { id: crypto.randomUUID(), text: "Go on" });
        while ((await ask(""))?.turns === before?.turns) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [id, turns] as const,
  );
  return { id, events };
}

/** Clicks in the page itself, and waits there for the paint after the last words are in it. */
function clickToPaint(page: Page, title: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const row = [...document.querySelectorAll<HTMLElement>("a")].find((link) => link.textContent?.includes(wanted));
        if (!row) throw new Error(`no row of ${wanted}`);
        const begun = performance.now();
        const look = () => {
          const log = document.querySelector('[role="log"]');
          const isThere = log?.textContent?.includes("The end.") && document.querySelector("textarea");
          if (!isThere) return requestAnimationFrame(look);
          // A frame is on the screen when the next one is asked for.
          return requestAnimationFrame(() => resolve(performance.now() - begun));
        };
        row.click();
        requestAnimationFrame(look);
      }),
    title,
  );
}

/** Milliseconds from a key to the paint after it: in a session whose agent writes, and on a page that has nothing but a field. */
async function keysTyped(deck: Deck, session: string) {
  const screen = await Screen.open(await deck.anotherUrl());
  await look(screen, session);
  await read(screen, "The end.");
  await write(screen, "Write a lot");
  // What is written so is numbers.
  const written = conversation(screen).locator(".k-text").last();
  const length = async () =>
    /^\d/.test((await written.textContent()) ?? "") ? (await written.textContent())?.length : 0;
  await expect.poll(length).toBeGreaterThan(0);
  const blank = await screen.context.newPage();
  await blank.goto("about:blank");
  await blank.evaluate(() => document.body.append(document.createElement("textarea")));
  const ours: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = (await length()) ?? 0;
    ours.push(...(await keyToPaint(screen.page, Math.ceil(KEYS / ROUNDS))));
    // It was written meanwhile, or there was nothing to measure.
    await expect.poll(length).toBeGreaterThan(before);
    empty.push(...(await keyToPaint(blank, Math.ceil(KEYS / ROUNDS))));
  }
  expect(screen.faults).toEqual([]);
  return { typedMs: ours, typedBlankMs: empty };
}

async function keyToPaint(page: Page, keys: number): Promise<number[]> {
  await page.bringToFront();
  const field = page.locator("textarea").first();
  await field.focus();
  await page.evaluate(() => {
    const told: number[] = [];
    (window as unknown as { told: number[] }).told = told;
    const noted = (event: KeyboardEvent) => {
      requestAnimationFrame(() => {
        // What is told here comes after the frame was made.
        const after = new MessageChannel();
        after.port1.onmessage = () => told.push(performance.now() - event.timeStamp);
        after.port2.postMessage(null);
      });
    };
    window.onkeydown = noted;
  });
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press("a");
    await page.waitForFunction((typed) => (window as unknown as { told: number[] }).told.length > typed, key);
  }
  return page.evaluate(() => (window as unknown as { told: number[] }).told);
}
