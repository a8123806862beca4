// What was chosen in the palette last, the newest first. Kept in the browser.

import { keepText, keptText } from "../../store/browser";

const KEY = "quarterdeck.palette";
const KEPT = 12;

export function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(keptText(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
  } catch {
    // Somebody else wrote there.
    return [];
  }
}

export function noteRecent(id: string): void {
  keepText(KEY, JSON.stringify([id, ...readRecent().filter((other) => other !== id)].slice(0, KEPT)));
}
