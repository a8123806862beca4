// The whole of a text of which the state has the head: a clip in; what is known of it, and a way to bring the rest, out.

import { useState } from "react";
import { getText, inSession, query } from "../../api/http";
import type { Clip } from "../../generated";
import { useSession } from "../../store/use";

export type Whole = {
  text: string;
  isWhole: boolean;
  isComing: boolean;
  error: string | undefined;
  /** Gives the whole text, brought from the server if need be; none if that failed. */
  bring: () => Promise<string | undefined>;
};

export function useWhole(clip: Clip): Whole {
  const { id } = useSession();
  const [brought, setBrought] = useState<string>();
  const [isComing, setComing] = useState(false);
  const [error, setError] = useState<string>();
  const { more } = clip;
  const isWhole = more === undefined || brought !== undefined;
  const text = brought ?? clip.text;
  const bring = async (): Promise<string | undefined> => {
    if (more === undefined || brought !== undefined) return text;
    setComing(true);
    setError(undefined);
    try {
      const all = await getText(inSession(id, "text") + query({ seq: more.seq, pointer: more.pointer }));
      setBrought(all);
      return all;
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      return undefined;
    } finally {
      setComing(false);
    }
  };
  return { text, isWhole, isComing, error, bring };
}
