// What a panel shows that is not in the state: how to get it in; what came, or why not, out.

import { useCallback, useEffect, useState } from "react";
import { messageOf } from "../../api/http";

export type Loaded<T> = { value: T | undefined; error: string | undefined; again: () => void };

/** `load` has to be the same each time. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<string>();
  const [times, setTimes] = useState(0);
  useEffect(() => {
    void times;
    let isOver = false;
    load().then(
      (answer) => {
        if (isOver) return;
        setValue(answer);
        setError(undefined);
      },
      (cause: unknown) => {
        if (!isOver) setError(messageOf(cause));
      },
    );
    return () => {
      isOver = true;
    };
  }, [load, times]);
  const again = useCallback(() => setTimes((before) => before + 1), []);
  return { value, error, again };
}
