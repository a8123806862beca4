// Long texts: the state has the head of one, the log has the whole. It is fetched when the reader asks for it.

import { useState } from "react";
import { getText, inSession, query } from "../api/http";
import type { Clip, More } from "../generated";
import { useSession } from "../store/use";
import { Arc } from "./Icon";
import { Press } from "./item/inRow";
import { bytes } from "./words";

export function fetchWhole(
  session: string,
  more: Pick<More, "seq" | "pointer"> & Partial<More>,
  signal?: AbortSignal,
): Promise<string> {
  return getText(
    inSession(session, "text") + query({ seq: more.seq, pointer: more.pointer, from: more.from, bytes: more.bytes }),
    signal,
  );
}

export type Whole = {
  text: string;
  /** Where the rest is, while it is not here. */
  more: More | undefined;
  state: "head" | "coming" | "failed" | "whole";
  /** Gives the whole text, brought from the server if need be; none if that failed. */
  bring: () => Promise<string | undefined>;
};

/** Texts that were fetched, so that they are still there when the row comes back. */
const fetched = new Map<string, string>();
const KEPT = 20;

export function useWhole(clip: Clip): Whole {
  const session = useSession();
  const { more } = clip;
  const key = more ? `${session.id}:${more.seq}:${more.pointer}:${more.from ?? 0}` : "";
  const [state, setState] = useState<Whole["state"]>("head");
  const known = more ? fetched.get(key) : clip.text;
  if (known !== undefined || !more) {
    const text = known ?? clip.text;
    return { text, more: undefined, state: "whole", bring: async () => text };
  }
  const bring = async () => {
    setState("coming");
    try {
      const text = await fetchWhole(session.id, more);
      fetched.set(key, text);
      for (const old of fetched.keys()) if (fetched.size > KEPT) fetched.delete(old);
      setState("whole");
      return text;
    } catch {
      setState("failed");
      return undefined;
    }
  };
  return { text: clip.text, more, state, bring };
}

/** The way to the whole text, at the end of its head. */
export function ShowAll({ whole }: { whole: Whole }) {
  if (!whole.more) return null;
  if (whole.state === "coming") {
    return (
      <p className="more">
        <Arc /> Loading {bytes(whole.more.bytes)}
      </p>
    );
  }
  return (
    <Press className="more" onClick={() => void whole.bring()}>
      {whole.state === "failed" ? <span className="is-danger">Could not load it.</span> : null}
      {whole.state === "failed" ? "Try again" : `Show all, ${bytes(whole.more.bytes)}`}
    </Press>
  );
}
