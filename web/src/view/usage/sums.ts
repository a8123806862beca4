// What was spent: turns go in; days, sessions and turns with their sums come out. Every sum is the sum of the rows below it, and
// every row comes from a turn: nothing is added up anywhere else. Pure.

import type { UsedTurn } from "../../api/search";

export type Sum = { turns: number; input: number; cached: number; output: number; costUsd: number };

export type SessionSum = { session: string; title: string | undefined; sum: Sum; turns: readonly UsedTurn[] };

export type DaySum = {
  /** The day by the clock of whoever looks, `2026-11-15`. */
  day: string;
  /** Its midnight. */
  at: number;
  sum: Sum;
  sessions: readonly SessionSum[];
  /** Dollars by model. */
  models: ReadonlyMap<string, number>;
};

export const NOTHING: Sum = { turns: 0, input: 0, cached: 0, output: 0, costUsd: 0 };

/** What stands for turns of which nobody said the model. */
export const UNTOLD = "";

/** A command of the CLI itself is no turn of the model; what it cost counts all the same. */
export function sumOf(turn: UsedTurn): Sum {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 } = turn.tokens;
  return {
    turns: turn.outcome === "command" ? 0 : 1,
    input: inputTokens + cacheReadTokens + cacheCreationTokens,
    cached: cacheReadTokens,
    output: outputTokens,
    costUsd: turn.costUsd,
  };
}

export function add(a: Sum, b: Sum): Sum {
  return {
    turns: a.turns + b.turns,
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    costUsd: a.costUsd + b.costUsd,
  };
}

export const total = (rows: readonly { sum: Sum }[]): Sum => rows.reduce((sum, row) => add(sum, row.sum), NOTHING);

/** The name of a day, by the clock of whoever looks. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** The days that have turns, the last one first; in each, the session that cost most first; in it, the last turn first. */
export function daysOf(turns: readonly UsedTurn[]): DaySum[] {
  const days = new Map<string, UsedTurn[]>();
  for (const turn of turns) {
    const day = dayOf(turn.endedAt);
    days.set(day, [...(days.get(day) ?? []), turn]);
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, inIt]) => {
      const sessions = sessionsOf(inIt);
      return { day, at: midnight(inIt[0]?.endedAt ?? 0), sum: total(sessions), sessions, models: modelsOf(inIt) };
    });
}

function sessionsOf(turns: readonly UsedTurn[]): SessionSum[] {
  const sessions = new Map<string, UsedTurn[]>();
  for (const turn of turns) sessions.set(turn.session, [...(sessions.get(turn.session) ?? []), turn]);
  return [...sessions]
    .map(([session, own]) => ({
      session,
      title: own[0]?.title ?? undefined,
      sum: own.map(sumOf).reduce(add, NOTHING),
      turns: [...own].sort((a, b) => b.endedAt - a.endedAt || b.number - a.number),
    }))
    .sort((a, b) => b.sum.costUsd - a.sum.costUsd || (a.session < b.session ? -1 : 1));
}

/** Dollars by model. What a turn cost beyond what its models did is nobody's. */
export function modelsOf(turns: readonly UsedTurn[]): Map<string, number> {
  const models = new Map<string, number>();
  const note = (model: string, usd: number) => models.set(model, (models.get(model) ?? 0) + usd);
  for (const turn of turns) {
    let told = 0;
    for (const { model, costUsd } of turn.models) {
      note(model, costUsd);
      told += costUsd;
    }
    if (turn.costUsd - told > 1e-9) note(UNTOLD, turn.costUsd - told);
  }
  return models;
}

/** The models, the dearest first: the first two by name, the rest together where there are more than three. */
export function bands(days: readonly DaySum[]): { name: string; models: readonly string[] }[] {
  const all = new Map<string, number>();
  for (const day of days) for (const [model, usd] of day.models) all.set(model, (all.get(model) ?? 0) + usd);
  const named = [...all].sort(([, a], [, b]) => b - a).map(([model]) => model);
  const alone = (model: string) => ({ name: model, models: [model] });
  if (named.length <= 3) return named.map(alone);
  return [...named.slice(0, 2).map(alone), { name: "Others", models: named.slice(2) }];
}

/** All days from the first to today, also those without a turn, the oldest first; at most so many. */
export function calendar(days: readonly DaySum[], from: number | undefined, now: number, most: number): DaySum[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const oldest = days.at(-1)?.at ?? now;
  const start = midnight(from ?? oldest);
  const all: DaySum[] = [];
  const date = new Date(midnight(now));
  while (date.getTime() >= start && all.length < most) {
    const at = date.getTime();
    const day = dayOf(at);
    all.push(known.get(day) ?? { day, at, sum: NOTHING, sessions: [], models: new Map() });
    date.setDate(date.getDate() - 1);
  }
  return all.reverse();
}

/** The numbers that a scale may end at, times a power of ten. */
const ENDS = [1, 1.2, 1.6, 2, 2.5, 4, 5, 6, 8, 10];

/** The next round number above, for the scale: one whose quarters are whole cents, unless all of it is only a few cents. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const ends = ENDS.map((end) => end * power).filter((end) => end >= value - 1e-12);
  return ends.find((end) => placesOf(end / 4) <= 2) ?? ends[0] ?? value;
}

/** How many places the figures of a scale need, so that each says what it is: none, or those of cents and below. */
export function placesOf(step: number): number {
  return [0, 2, 3, 4].find((places) => Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) < 1e-6) ?? 4;
}
