// Whether a title is being changed, and where the focus goes when that is over.

import { type RefObject, useEffect, useRef, useState } from "react";

export type Naming<T> = {
  isNaming: boolean;
  begin: () => void;
  leave: (byKey: boolean) => void;
  back: RefObject<T | null>;
};

/** `back` is put on what has the focus before and after. */
export function useNaming<T extends HTMLElement>(): Naming<T> {
  const [isNaming, setNaming] = useState(false);
  const back = useRef<T>(null);
  const isByKey = useRef(false);
  useEffect(() => {
    if (isNaming || !isByKey.current) return;
    isByKey.current = false;
    back.current?.focus();
  }, [isNaming]);
  const leave = (byKey: boolean) => {
    isByKey.current = byKey;
    setNaming(false);
  };
  return { isNaming, begin: () => setNaming(true), leave, back };
}
