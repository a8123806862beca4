// The files that a session has changed: items in; files with their changes in order, the last one changed first, out. Pure.

import type { Item, ToolItem } from "../../../generated";

export type Change = { item: Item; tool: ToolItem; added: number; removed: number };

export type ChangedFile = {
  path: string;
  added: number;
  removed: number;
  /** Was it not there before the first of these changes? */
  created: boolean;
  changes: Change[];
};

export function changedFiles(items: readonly Item[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const item of items) {
    const change = changeOf(item);
    if (change === undefined) continue;
    const { path, created, ...rest } = change;
    const file = files.get(path) ?? { path, added: 0, removed: 0, created, changes: [] };
    file.added += rest.added;
    file.removed += rest.removed;
    file.changes.push(rest);
    // The one that was changed last stands last.
    files.delete(path);
    files.set(path, file);
  }
  return [...files.values()].reverse();
}

/** What was done, and not only meant. */
function changeOf(item: Item): (Change & { path: string; created: boolean }) | undefined {
  if (item.body.kind !== "tool" || item.body.status !== "completed") return undefined;
  const tool = item.body;
  const { view } = tool;
  switch (view.view) {
    case "edit": {
      const { path, added, removed, created } = view.diff;
      const isNothing = view.diff.hunks.length === 0 && view.content === undefined;
      return path === "" || isNothing ? undefined : { path, created, item, tool, added, removed };
    }
    case "notebook": {
      const [added, removed] = [lines(view.source.text), lines(view.oldSource?.text ?? "")];
      return view.path === "" ? undefined : { path: view.path, created: false, item, tool, added, removed };
    }
    default:
      return undefined;
  }
}

function lines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
