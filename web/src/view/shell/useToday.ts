// What was spent today, asked for again whenever a turn has ended.

import { useEffect, useRef, useState } from "react";
import type { Row } from "../../api/frames";
import { spentToday } from "../../api/server";

/** Turns that end at about the same time are asked for together. */
const TOGETHER_MS = 1500;

export function useToday(list: readonly Row[]): number | undefined {
  const [spent, setSpent] = useState<number>();
  const isFirst = useRef(true);
  const turns = list.reduce((sum, row) => sum + row.turns, 0);
  useEffect(() => {
    // Asked again when this number is another one.
    void turns;
    let isOver = false;
    const ask = () => {
      spentToday().then(
        (usd) => !isOver && setSpent(usd),
        // Then the figure of before is shown, or none.
        () => {},
      );
    };
    const timer = setTimeout(ask, isFirst.current ? 0 : TOGETHER_MS);
    isFirst.current = false;
    return () => {
      // What comes late is older than what is asked for next.
      isOver = true;
      clearTimeout(timer);
    };
  }, [turns]);
  return spent;
}
