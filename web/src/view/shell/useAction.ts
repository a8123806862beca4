// Something that is asked of the server: while it is on its way it says so, and when it fails it says why.

import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/http";

export type Action = {
  /** `then` is told whether the asker is still there: who has gone elsewhere meanwhile is not called back. */
  run: <T>(deed: () => Promise<T>, then?: (result: T, isThere: boolean) => void) => void;
  /** Is the last one still on its way? */
  isBusy: boolean;
  error: string | undefined;
  dismiss: () => void;
};

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isThere = useRef(true);
  const last = useRef(0);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const run = useCallback<Action["run"]>((deed, then) => {
    last.current += 1;
    const mine = last.current;
    // One that was followed by another says nothing about that.
    const rest = () => isThere.current && mine === last.current && setBusy(false);
    setBusy(true);
    setError(undefined);
    deed().then(
      (result) => {
        rest();
        then?.(result, isThere.current);
      },
      (cause: unknown) => {
        rest();
        if (isThere.current) setError(messageOf(cause));
      },
    );
  }, []);
  const dismiss = useCallback(() => setError(undefined), []);
  return { run, isBusy, error, dismiss };
}
