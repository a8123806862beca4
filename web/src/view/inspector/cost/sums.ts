// What a session's cost is made of: meters and items in; rows that add up to the sums above them out. Pure.

import type { Item, Meters, ModelTokenUsage, TurnItem } from "../../../generated";

/** Less than this is the dust of binary fractions. */
export const DUST = 0.00005;

export type ModelRow = {
  /** None for what the agent did not tell apart. */
  model: string | undefined;
  usage: ModelTokenUsage;
};

/** The dearest first; what is left of the sum is a row of its own, so that the rows add up. */
export function modelRows(meters: Meters): ModelRow[] {
  const rows: ModelRow[] = Object.entries(meters.models)
    .map(([model, usage]) => ({ model, usage }))
    .sort((a, b) => (b.usage.costUsd ?? 0) - (a.usage.costUsd ?? 0));
  const rest = meters.costUsd - sum(rows.map(({ usage }) => usage.costUsd ?? 0));
  if (rows.length > 0 && Math.abs(rest) >= DUST) {
    rows.push({ model: undefined, usage: { inputTokens: 0, outputTokens: 0, costUsd: rest } });
  }
  return rows;
}

/** All rows as one. */
export function total(
  rows: readonly ModelRow[],
): Required<
  Pick<ModelTokenUsage, "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheCreationTokens" | "costUsd">
> {
  const of = (pick: (usage: ModelTokenUsage) => number | undefined) => sum(rows.map(({ usage }) => pick(usage) ?? 0));
  return {
    inputTokens: of((usage) => usage.inputTokens),
    outputTokens: of((usage) => usage.outputTokens),
    cacheReadTokens: of((usage) => usage.cacheReadTokens),
    cacheCreationTokens: of((usage) => usage.cacheCreationTokens),
    costUsd: of((usage) => usage.costUsd),
  };
}

export type TurnRow = { item: Item; turn: TurnItem; words: string };

/** The turns that are held, the last one first, each with what began it. */
export function turnRows(items: readonly Item[]): TurnRow[] {
  const said = new Map<string, string>();
  const rows: TurnRow[] = [];
  let last = "";
  for (const item of items) {
    const { body } = item;
    if (body.kind === "user" && body.role === "person" && item.parent === undefined) {
      last = body.text.text.trim().split("\n")[0] ?? "";
      said.set(item.uuid ?? item.id, last);
    } else if (body.kind === "turn") {
      const named = body.prompts.map((prompt) => said.get(prompt)).find((words) => words !== undefined);
      const words = body.origin === undefined ? (named ?? last) : "A background task reported";
      // A local command costs nothing, and is no turn.
      if (body.outcome !== "command" || (body.costUsd ?? 0) > 0) rows.push({ item, turn: body, words });
    }
  }
  return rows.reverse();
}

export type TurnSums = {
  /** Those of this session. */
  own: TurnRow[];
  /** Those before it took the conversation over. */
  inherited: TurnRow[];
  /** Those of this session that are not held. */
  earlier: { turns: number; costUsd: number } | undefined;
};

/** Which turns are the session's own, and what is missing for them to add up to its cost. */
export function turnSums(rows: readonly TurnRow[], meters: Meters): TurnSums {
  let turns = 0;
  const own: TurnRow[] = [];
  for (const row of rows) {
    const isCounted = row.turn.outcome !== "command";
    if (isCounted && turns >= meters.turns) break;
    if (isCounted) turns++;
    own.push(row);
  }
  const inherited = rows.slice(own.length).filter((row) => row.turn.outcome !== "command");
  const costUsd = meters.costUsd - sum(own.map(({ turn }) => turn.costUsd ?? 0));
  const left = meters.turns - turns;
  const hasEarlier = left > 0 || Math.abs(costUsd) >= DUST;
  return { own, inherited, earlier: hasEarlier ? { turns: left, costUsd } : undefined };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
