// What components subscribe to: one part of one session each.

import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { Held, Row as SessionRow } from "../api/frames";
import type { Connection, Socket } from "../api/socket";
import type { Item } from "../generated";
import type { Held as HeldState } from "./patch";
import type { Row } from "./rows";
import type { SessionStore } from "./session";
import type { Sessions } from "./sessions";

export const SocketContext = createContext<Socket | undefined>(undefined);
export const SessionsContext = createContext<Sessions | undefined>(undefined);
export const SessionContext = createContext<SessionStore | undefined>(undefined);

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("outside of its provider");
  return value;
}

export const useSocket = (): Socket => present(useContext(SocketContext));
export const useSessions = (): Sessions => present(useContext(SessionsContext));
export const useSession = (): SessionStore => present(useContext(SessionContext));

export function useConnection(): Connection {
  const socket = useSocket();
  return useSyncExternalStore(socket.subscribe, socket.connection);
}

export function useSessionList(): readonly SessionRow[] {
  const sessions = useSessions();
  return useSyncExternalStore(sessions.subscribe, sessions.list);
}

type Topic = Parameters<SessionStore["subscribe"]>[0];

function useTopic<T>(topic: Topic, look: (session: SessionStore) => T): T {
  const session = useSession();
  const subscribe = useCallback((listener: () => void) => session.subscribe(topic, listener), [session, topic]);
  return useSyncExternalStore(subscribe, () => look(session));
}

/** A part of the header. */
export function usePart<P extends "status" | "meters" | "catalog" | "tasks" | "jobs" | "mcp" | "queue" | "asks">(
  part: P,
): HeldState[P] {
  return useTopic(part, (session) => session.part(part));
}

export const useItem = (id: string): Item | undefined => useTopic(`item:${id}`, (session) => session.item(id));
export const useLane = (parent: string): readonly Item[] =>
  useTopic(`lane:${parent}`, (session) => session.lane(parent));
export const useRows = (): readonly Row[] => useTopic("rows", (session) => session.rows());
export const useHeld = (): Held => useTopic("held", (session) => session.held());
export const useWatchers = (): number => useTopic("watchers", (session) => session.watchers());
export const useTrouble = () => useTopic("trouble", (session) => session.trouble());
export const useKnown = (): boolean => useTopic("known", (session) => session.isKnown());

/** Whoever looks at all items is told at most so often. */
const CALM_MS = 250;

/** What is found among all items. `pick` is a function that stays the same. */
export function useItems<T>(pick: (items: readonly Item[]) => T): T {
  const session = useSession();
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const calm = () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          listener();
        }, CALM_MS);
      };
      const leave = session.subscribe("items", calm);
      return () => {
        leave();
        clearTimeout(timer);
      };
    },
    [session],
  );
  const version = useSyncExternalStore(subscribe, () => session.itemsVersion());
  return useMemo(() => {
    // The list is the same one; the number says that it is another.
    void version;
    return pick(session.items());
  }, [session, pick, version]);
}
