// Something that is asked of the server: while it is on its way it says so, and when it fails it says why.

import { useCallback, useEffect, useRef, useState } from "react";

export type Action = {
  run: (deed: () => Promise<unknown>, then?: () => void) => void;
  isBusy: boolean;
  error: string | undefined;
  dismiss: () => void;
};

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const run = useCallback((deed: () => Promise<unknown>, then?: () => void) => {
    setBusy(true);
    setError(undefined);
    deed().then(
      () => {
        if (isThere.current) setBusy(false);
        then?.();
      },
      (cause: unknown) => {
        if (!isThere.current) return;
        setBusy(false);
        setError(cause instanceof Error ? cause.message : String(cause));
      },
    );
  }, []);
  const dismiss = useCallback(() => setError(undefined), []);
  return { run, isBusy, error, dismiss };
}
