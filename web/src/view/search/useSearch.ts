// Looks for words in all sessions, when the typing stops: the text goes in; what was found, how long it took, and whether
// something is on its way come out. What was found before stays until there is something new.

import { useEffect, useState } from "react";
import { messageOf } from "../../api/http";
import { type Hit, MOST_HITS, search } from "../../api/search";

const PAUSE_MS = 180;

export type Looked = {
  /** What the hits are for; nothing was looked for yet, without one. */
  text: string | undefined;
  hits: readonly Hit[];
  ms: number;
  isLooking: boolean;
  error: string | undefined;
};

const NOTHING: Looked = { text: undefined, hits: [], ms: 0, isLooking: false, error: undefined };

export function useSearch(text: string, limit: number = MOST_HITS): Looked {
  const [looked, setLooked] = useState<Looked>(NOTHING);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === "") {
      setLooked(NOTHING);
      return;
    }
    const abort = new AbortController();
    setLooked((before) => ({ ...before, isLooking: true }));
    const timer = setTimeout(() => {
      const start = performance.now();
      search(wanted, abort.signal, limit).then(
        (hits) => {
          const ms = performance.now() - start;
          setLooked({ text: wanted, hits, ms, isLooking: false, error: undefined });
        },
        (cause: unknown) => {
          if (abort.signal.aborted) return;
          const error = messageOf(cause);
          setLooked((before) => ({ ...before, isLooking: false, error }));
        },
      );
    }, PAUSE_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [wanted, limit]);
  return looked;
}
