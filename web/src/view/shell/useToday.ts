// What was spent today, asked for again whenever a turn has ended.

import { useEffect, useRef, useState } from "react";
import type { Row } from "../../api/frames";
import { spentSince } from "../../api/server";

/** Turns that end at about the same time are asked for together. */
const TOGETHER_MS = 1500;

export function useToday(list: readonly Row[]): number | undefined {
  const [spent, setSpent] = useState<number>();
  const isFirst = useRef(true);
  const turns = list.reduce((sum, row) => sum + row.turns, 0);
  useEffect(() => {
    // Asked again when this number is another one.
    void turns;
    const ask = () => {
      spentSince(new Date().setHours(0, 0, 0, 0)).then(
        (days) => setSpent(days.reduce((sum, day) => sum + day.costUsd, 0)),
        // Then the figure of before is shown, or none.
        () => {},
      );
    };
    const timer = setTimeout(ask, isFirst.current ? 0 : TOGETHER_MS);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [turns]);
  return spent;
}
