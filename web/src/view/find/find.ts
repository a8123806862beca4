// Where words stand in a conversation: its items and the words in, the ids of the items that have them out. Pure.

import type { Item } from "../../generated";

/** Fields that are for programs, and are nowhere to be read. */
const FOR_PROGRAMS = new Set([
  "kind",
  "view",
  "status",
  "toolKind",
  "outcome",
  "role",
  "category",
  "pointer",
  "mediaType",
  "callId",
  "taskId",
  "agentId",
]);

/** The items that have these words in them, in their order. The line of a turn has none of its own. */
export function findIn(items: readonly Item[], words: string): string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return items.flatMap(({ id, body }) => (body.kind !== "turn" && has(body, wanted) ? [id] : []));
}

function has(value: unknown, wanted: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(wanted);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((one) => has(one, wanted));
  return Object.entries(value).some(
    ([name, one]) => !(typeof one === "string" && FOR_PROGRAMS.has(name)) && has(one, wanted),
  );
}
