// Search and usage: what is counted, and that every sum is the sum of its rows.

import { describe, expect, test } from "vitest";
import type { Hit, UsedTurn } from "../src/api/search";
import { arrangeHits, EVERYTHING } from "../src/view/search/found";
import { csv } from "../src/view/usage/csv";
import { bands, calendar, dayOf, daysOf, modelsOf, placesOf, roundUp, sumOf, total } from "../src/view/usage/sums";

const noon = (day: number) => new Date(2026, 10, day, 12).getTime();

const turn = (session: string, day: number, costUsd: number, more: Partial<UsedTurn> = {}): UsedTurn => ({
  session,
  number: 1,
  startedAt: noon(day) - 1000,
  endedAt: noon(day),
  outcome: "completed",
  costUsd,
  tokens: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 80, cacheCreationTokens: 10 },
  models: [{ model: "opus", costUsd, tokens: { inputTokens: 10, outputTokens: 5 } }],
  ...more,
});

describe("usage", () => {
  const turns = [
    turn("a", 15, 0.5),
    turn("b", 15, 2, { number: 1 }),
    turn("b", 15, 1, { number: 2, endedAt: noon(15) + 1000 }),
    turn("a", 13, 0.25),
    turn("a", 15, 0.1, { outcome: "command", number: 9 }),
  ];
  const days = daysOf(turns);

  test("days, sessions and turns stand in their order", () => {
    expect(days.map(({ day }) => day)).toEqual(["2026-11-15", "2026-11-13"]);
    expect(days[0]?.sessions.map(({ session }) => session)).toEqual(["b", "a"]);
    expect(days[0]?.sessions[0]?.turns.map(({ number }) => number)).toEqual([2, 1]);
  });

  test("every sum is the sum of its rows", () => {
    for (const day of days) {
      expect(day.sum).toEqual(total(day.sessions));
      for (const session of day.sessions) {
        expect(session.sum).toEqual(total(session.turns.map((each) => ({ sum: sumOf(each) }))));
      }
    }
    const all = total(days);
    expect(all.costUsd).toBeCloseTo(3.85);
    // A command of the CLI itself is no turn.
    expect(all.turns).toBe(4);
    expect(all).toMatchObject({ input: 500, cached: 400, output: 25 });
  });

  test("the figures of the scale are whole dollars, or have cents, or more where cents would be the same", () => {
    expect([8, 2, 1, 0.25, 0.04, 0.01].map((most) => placesOf(most / 4))).toEqual([0, 2, 2, 4, 2, 4]);
  });

  test("what a turn cost beyond what its models did is nobody's", () => {
    const models = modelsOf([turn("a", 1, 1), turn("a", 1, 0.5, { models: [] })]);
    expect([...models]).toEqual([
      ["opus", 1],
      ["", 0.5],
    ]);
  });

  test("of many models the first two have names", () => {
    const named = (model: string, costUsd: number) =>
      turn("a", 1, costUsd, { models: [{ model, costUsd, tokens: turn("a", 1, 0).tokens }] });
    const many = daysOf([named("w", 1), named("x", 4), named("y", 3), named("z", 2)]);
    expect(bands(many)).toEqual([
      { name: "x", models: ["x"] },
      { name: "y", models: ["y"] },
      { name: "Others", models: ["z", "w"] },
    ]);
  });

  test("days without a turn are there, too", () => {
    const all = calendar(days, noon(12), noon(16), 100);
    expect(all.map(({ day }) => day)).toEqual(["2026-11-12", "2026-11-13", "2026-11-14", "2026-11-15", "2026-11-16"]);
    expect(all.map(({ sum }) => sum.costUsd > 0)).toEqual([false, true, false, true, false]);
    expect(calendar(days, undefined, noon(16), 100)).toHaveLength(4);
    expect(calendar(days, undefined, noon(16), 2).map(({ day }) => day)).toEqual(["2026-11-15", "2026-11-16"]);
  });

  test("the scale ends with a round number", () => {
    expect([0, 0.03, 0.9, 7.1, 24.1, 100].map(roundUp)).toEqual([1, 0.04, 1, 8, 25, 100]);
    // Half a dollar in quarters would be an eighth.
    expect([0.43, 0.21, 1.1].map((value) => roundUp(value).toFixed(2))).toEqual(["0.60", "0.40", "1.20"]);
  });

  test("a spreadsheet gets every turn, and no formula", () => {
    const lines = csv([turn("a", 15, 0.5, { title: '=HYPERLINK("x"), "y"', cwd: "/src" })]).split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x""), ""y"""`);
    expect(lines[1]?.startsWith(`${dayOf(noon(15))},`)).toBe(true);
  });
});

describe("search", () => {
  const now = noon(16);
  const hit = (session: string, kind: string, day: number): Hit => ({
    session,
    kind,
    item: `${kind}${day}`,
    seq: 1,
    at: noon(day),
    snippet: [],
  });
  const hits = [hit("b", "answer", 16), hit("a", "prompt", 12), hit("b", "command", 1), hit("b", "path", 16)];
  const folderOf = (session: string) => (session === "gone" ? undefined : `/src/${session}`);

  test("by session, the best first, with counts for every facet", () => {
    const found = arrangeHits(hits, EVERYTHING, folderOf, now);
    expect(found.groups.map(({ session, hits: own }) => [session, own.length])).toEqual([
      ["b", 3],
      ["a", 1],
    ]);
    expect(found.where).toEqual({ all: 4, messages: 2, commands: 1, paths: 1, titles: 0 });
    expect(found.when).toEqual({ any: 4, today: 2, week: 3 });
    expect(found.projects).toEqual([
      { folder: "/src/b", hits: 3 },
      { folder: "/src/a", hits: 1 },
    ]);
  });

  test("the counts of one facet go by the others", () => {
    const found = arrangeHits(hits, { where: "messages", project: "/src/b", when: "today" }, folderOf, now);
    expect(found.hits).toBe(1);
    expect(found.where.all).toBe(2);
    expect(found.when.any).toBe(1);
    expect(found.anyProject).toBe(1);
    expect(arrangeHits([hit("gone", "answer", 16)], EVERYTHING, folderOf, now).groups).toHaveLength(1);
  });
});
