// The way from an item to the record that it was made from, in the inspector.

import { useCallback } from "react";
import type { Item } from "../../generated";
import { useSession } from "../../store/use";
import { Icon } from "../Icon";
import { openTab } from "../inspector/shown";
import { Press } from "./inRow";

/** Shows the record of an item. */
export function useRaw(): (item: Item) => void {
  const { id } = useSession();
  return useCallback((item: Item) => openTab(id, "raw", String(item.seq)), [id]);
}

export function RawButton({ item }: { item: Item }) {
  const show = useRaw();
  return (
    <Press className="ibtn sm" aria-label="Show raw record" title="Show raw record" onClick={() => show(item)}>
      <Icon name="raw" />
    </Press>
  );
}
