// How many turns fit into the context before it is compacted: the conversation goes in; a number, how fast it grows, and by how much
// such numbers were wrong until now come out. Nothing comes out while there is too little to go on. Pure.

import type { Context, Item } from "../../generated";

/** How large the context was when a turn ended, or that it was summed up there. */
export type Step = { kind: "turn"; tokens: number } | { kind: "compacted"; isByItself: boolean };

export type Forecast = {
  /** Turns that fit; none if it is compacted in the next one. Of more than `FAR` nobody knows how many. */
  turns: number;
  /** Tokens that a turn adds. */
  growth: number;
  /** By how many turns earlier ones were wrong, in the middle, and how many those were; none if none has come true yet. */
  past: { error: number; count: number } | undefined;
};

/** So many turns say how fast it grows; of more, the last ones. */
const FEWEST = 3;
const MOST = 20;

/** What is further away depends on turns that are not like those before: it is not told in numbers. */
export const FAR = 10;

/**
 * What the CLI keeps free at the end, as measured on 2.1.325: of 200,000 tokens it compacts at 167,000. Where it says so itself, or
 * has compacted before, that counts.
 */
const KEPT_FREE = 33_000;

/** Where the context is compacted, in tokens: as the agent says; or where it did so last; or as it usually does. */
export function compactsAt({ window, compactions }: Context, told: number | undefined): number | undefined {
  const before = compactions.findLast(({ trigger }) => trigger === "auto")?.before;
  const usual = window === undefined || window <= KEPT_FREE ? undefined : window - KEPT_FREE;
  return told ?? before ?? usual;
}

/** The turns of the main agent and its compactions, in the order of the conversation. What commands do is no turn. */
export function stepsOf(items: readonly Item[]): Step[] {
  return items.flatMap(({ body, parent }): Step[] => {
    if (parent !== undefined) return [];
    switch (body.kind) {
      case "turn":
        return body.outcome === "command" || body.contextTokens === undefined
          ? []
          : [{ kind: "turn", tokens: body.contextTokens }];
      case "compaction":
        return body.error === undefined ? [{ kind: "compacted", isByItself: body.trigger === "auto" }] : [];
      default:
        return [];
    }
  });
}

/** `used` is how large the context is now; `limit`, where it is compacted. */
export function forecast(
  steps: readonly Step[],
  used: number | undefined,
  limit: number | undefined,
): Forecast | undefined {
  if (used === undefined || limit === undefined) return undefined;
  const now = estimate(steps, used, limit);
  return now && { ...now, past: pastErrors(steps, limit) };
}

/** From the steps until one moment, as somebody would have said it then. */
function estimate(steps: readonly Step[], used: number, limit: number): Omit<Forecast, "past"> | undefined {
  const grown = growths(steps).slice(-MOST);
  if (grown.length < FEWEST) return undefined;
  const growth = grown.reduce((sum, tokens) => sum + tokens, 0) / grown.length;
  return growth <= 0 ? undefined : { turns: Math.max(0, Math.floor((limit - used) / growth)), growth };
}

/** What each turn has added; of one in which the context was summed up nobody knows it. */
function growths(steps: readonly Step[]): number[] {
  return steps.flatMap((step, at) => {
    const before = steps[at - 1];
    return step.kind === "turn" && before?.kind === "turn" ? [step.tokens - before.tokens] : [];
  });
}

/** What was said after each turn, beside how many turns there were then until the context compacted itself. */
function pastErrors(steps: readonly Step[], limit: number): Forecast["past"] {
  const errors: number[] = [];
  let left: number | undefined;
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at];
    if (step?.kind === "compacted") {
      // One that somebody asked for says nothing of when it would have been.
      left = step.isByItself ? 0 : undefined;
    } else if (step !== undefined && left !== undefined) {
      const said = estimate(steps.slice(0, at + 1), step.tokens, limit);
      if (said !== undefined && said.turns <= FAR) errors.push(Math.abs(said.turns - left));
      left += 1;
    }
  }
  return errors.length === 0 ? undefined : { error: median(errors), count: errors.length };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
