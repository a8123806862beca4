// The turns as a table for a spreadsheet: turns go in, lines come out. Pure.

import type { UsedTurn } from "../../api/search";
import { dayOf, sumOf } from "./sums";

const HEAD = [
  "day",
  "ended_at",
  "session",
  "title",
  "turn",
  "folder",
  "models",
  "outcome",
  "tokens_in",
  "tokens_cached",
  "tokens_out",
  "cost_usd",
];

export function csv(turns: readonly UsedTurn[]): string {
  const rows = turns.map((turn) => {
    const sum = sumOf(turn);
    return [
      dayOf(turn.endedAt),
      new Date(turn.endedAt).toISOString(),
      turn.session,
      turn.title ?? "",
      turn.number,
      turn.cwd ?? "",
      turn.models.map(({ model }) => model).join(" "),
      turn.outcome,
      sum.input,
      sum.cached,
      sum.output,
      turn.costUsd,
    ];
  });
  return [HEAD, ...rows].map((row) => row.map(field).join(",")).join("\r\n");
}

function field(value: string | number): string {
  if (typeof value === "number") return String(value);
  // A spreadsheet would take such a text for a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
