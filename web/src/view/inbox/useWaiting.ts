// All open asks of all sessions: the list says which sessions wait, and those are watched while somebody looks at the inbox.

import { useEffect, useMemo, useReducer } from "react";
import type { SessionStore } from "../../store/session";
import { useSessionList, useSessions } from "../../store/use";
import type { Waiting } from "./cards";

export type Open = Waiting & { store: SessionStore };

export type AllWaiting = {
  waiting: readonly Open[];
  /** So many sessions wait of which it is not known yet for what. */
  coming: number;
};

export function useWaiting(): AllWaiting {
  const sessions = useSessions();
  const list = useSessionList();
  const key = list
    .filter((row) => sessions.group(row) === "needsYou")
    .map(({ id }) => id)
    .sort()
    .join(" ");
  const stores = useMemo(() => (key === "" ? [] : key.split(" ").map((id) => sessions.store(id))), [key, sessions]);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ends = stores.flatMap((store) => {
      store.open();
      return (["asks", "status", "known"] as const).map((topic) => store.subscribe(topic, again));
    });
    again();
    return () => {
      for (const end of ends) end();
      for (const store of stores) store.close();
    };
  }, [stores]);
  return useMemo(() => {
    // Looked at again when one of them has changed.
    void turn;
    const waiting = stores.flatMap((store) =>
      store.part("asks").map((ask) => ({ session: store.id, cwd: store.part("status").cwd, ask, store })),
    );
    return { waiting, coming: stores.filter((store) => !store.isKnown()).length };
  }, [stores, turn]);
}
