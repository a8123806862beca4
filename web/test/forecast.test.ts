// How many turns fit before the context is compacted, and how wrong that was.

import { expect, test } from "vitest";
import type { Context, Item, ItemBody, TurnItem } from "../src/generated";
import { compactsAt, FAR, forecast, type Step, stepsOf } from "../src/view/session/forecast";

const LIMIT = 167_000;

const turns = (...tokens: number[]): Step[] => tokens.map((each) => ({ kind: "turn", tokens: each }));
const byItself: Step = { kind: "compacted", isByItself: true };
const onRequest: Step = { kind: "compacted", isByItself: false };

test("it says how many turns fit, when a few have shown how fast it grows", () => {
  const even = turns(20_000, 30_000, 40_000, 50_000);
  expect(forecast(even.slice(0, 3), 40_000, LIMIT)).toBeUndefined();
  expect(forecast(even, 50_000, LIMIT)).toEqual({ turns: 11, growth: 10_000, past: undefined });
  expect(forecast(even, 50_000, 55_000)).toMatchObject({ turns: 0 });
  expect(forecast(even, 50_000, 40_000)).toMatchObject({ turns: 0 });
  // What is in it now counts, in the middle of a turn, too.
  expect(forecast(even, 58_000, LIMIT)).toMatchObject({ turns: 10 });
});

test("nothing is said of what does not grow, has no end, or is not known", () => {
  const even = turns(20_000, 30_000, 40_000, 50_000);
  expect(forecast(turns(40_000, 40_000, 39_000, 38_000), 38_000, LIMIT)).toBeUndefined();
  expect(forecast(even, 50_000, undefined)).toBeUndefined();
  expect(forecast(even, undefined, LIMIT)).toBeUndefined();
});

test("the fall at a compaction is no growth, and what grew before it still counts", () => {
  const steps = [...turns(100_000, 110_000, 120_000, 130_000), onRequest];
  expect(forecast(steps, 20_000, LIMIT)).toEqual({ turns: 14, growth: 10_000, past: undefined });
  expect(forecast([...steps, ...turns(30_000)], 30_000, LIMIT)).toMatchObject({ turns: 13, growth: 10_000 });
});

test("what was said earlier is held against what came", () => {
  // After 130,000, 140,000 and 150,000 it said three, two and one; then a large turn came instead of the last one.
  const steps = [...turns(100_000, 110_000, 120_000, 130_000, 140_000, 150_000), byItself, ...turns(20_000, 30_000)];
  expect(forecast(steps, 30_000, LIMIT)?.past).toEqual({ error: 1, count: 3 });
  // One that somebody asked for proves nothing.
  const asked = steps.map((step) => (step === byItself ? onRequest : step));
  expect(forecast(asked, 30_000, LIMIT)).toMatchObject({ past: undefined });
});

/** What turns added in sessions of different kinds: talk, edits, long outputs in between. In thousands. */
const RECORDED = {
  talk: [2.1, 1.4, 3.2, 2.6, 1.9, 2.8, 3.5, 1.2, 2.4, 3.1, 2.2, 1.7, 2.9, 3.3, 2.0, 2.5, 1.6, 2.7, 3.0, 2.3],
  edits: [6.2, 3.9, 8.4, 5.1, 11.0, 4.4, 7.3, 2.8, 9.6, 6.7, 5.5, 3.1, 8.8, 4.9, 7.9, 6.0, 10.2, 3.6, 5.8, 7.1],
  outputs: [1.8, 14.6, 2.9, 4.2, 9.3, 1.5, 3.8, 17.9, 2.2, 6.4, 3.3, 12.1, 2.6, 5.0, 1.9, 8.7, 4.6, 2.4, 15.2, 3.0],
};

/** A session that grows like that, round and round, until it has compacted itself so often. */
function session(growths: readonly number[], compactions: number): Step[] {
  const steps: Step[] = [];
  let used = 24_000;
  for (let at = 0; compactions > 0; at++) {
    used += (growths[at % growths.length] ?? 0) * 1000;
    if (used > LIMIT) {
      steps.push(byItself);
      used = 31_000;
      compactions -= 1;
    }
    steps.push({ kind: "turn", tokens: used });
  }
  return steps;
}

test.each(Object.entries(RECORDED))("in the middle it is wrong by one turn at most: %s", (_, growths) => {
  const { past } = forecast(session(growths, 4), 40_000, LIMIT) ?? {};
  expect(past?.count).toBeGreaterThan(3 * FAR);
  expect(past?.error).toBeLessThanOrEqual(1);
});

const item = (body: ItemBody, more: Partial<Item> = {}): Item => ({
  id: "i",
  order: [0, 0],
  at: 0,
  seq: 1,
  body,
  ...more,
});
const turn = (more: Partial<TurnItem>): ItemBody => ({
  kind: "turn",
  outcome: "completed",
  prompts: [],
  models: {},
  toolCalls: 0,
  files: [],
  denials: [],
  ...more,
});

test("turns and compactions are taken from the conversation; commands, what failed and what agents did are not", () => {
  const items = [
    item(turn({ contextTokens: 10 })),
    item(turn({ contextTokens: 10, outcome: "command" })),
    item(turn({})),
    item({ kind: "compaction", trigger: "auto" }, { parent: "agent" }),
    item({ kind: "compaction", trigger: "manual", error: "Not enough messages" }),
    item({ kind: "compaction", trigger: "auto" }),
    item(turn({ contextTokens: 4, outcome: "interrupted" })),
  ];
  expect(stepsOf(items)).toEqual([...turns(10), byItself, ...turns(4)]);
});

test("where it is compacted is what the agent says, or where it was, or what is usual", () => {
  const mark = { at: 0, item: "c" };
  const context: Context = { window: 200_000, categories: [], compactions: [], compacted: 0 };
  const before: Context = { ...context, compactions: [{ ...mark, trigger: "auto", before: 155_000 }] };
  const asked: Context = { ...context, compactions: [{ ...mark, trigger: "manual", before: 90_000 }] };
  expect(compactsAt(before, 160_000)).toBe(160_000);
  expect(compactsAt(before, undefined)).toBe(155_000);
  expect(compactsAt(asked, undefined)).toBe(LIMIT);
  expect(compactsAt({ categories: [], compactions: [], compacted: 0 }, undefined)).toBeUndefined();
});
