// All sessions as the list has them, and the stores of those that are looked at.

import type { ClientFrame, Row, ServerFrame } from "../api/frames";
import type { Socket, Watch } from "../api/socket";
import { SessionStore } from "./session";

/** Where a session stands in the list: what needs somebody comes first. */
export type Group = "needsYou" | "running" | "unread" | "rest";

export const GROUPS: readonly Group[] = ["needsYou", "running", "unread", "rest"];

/** So many sessions are kept that nobody looks at, so that going back to one takes no time. */
const KEPT = 8;

export class Sessions implements Watch {
  private epoch: string | undefined;
  private revision = 0;
  private readonly rows = new Map<string, Row>();
  private listNow: readonly Row[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly stores = new Map<string, SessionStore>();
  /** What the user has seen of each, as far as this page knows. */
  private readonly seen = new Map<string, number>();

  constructor(private readonly socket: Socket) {}

  start(): void {
    this.socket.watch(this);
  }

  ask(): ClientFrame {
    return this.epoch === undefined ? { kind: "list" } : { kind: "list", epoch: this.epoch, revision: this.revision };
  }

  hear(frame: ServerFrame): boolean {
    if (frame.kind !== "list") return false;
    const { epoch, revision, whole, rows, gone } = frame.answer;
    if (whole) this.rows.clear();
    this.epoch = epoch;
    this.revision = revision;
    for (const row of rows) this.rows.set(row.id, row);
    for (const id of gone) this.rows.delete(id);
    this.changed();
    return true;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** All of them. Another list each time something has changed, and only then. */
  readonly list = (): readonly Row[] => this.listNow;

  /** Has the server told of them yet? */
  readonly isKnown = (): boolean => this.epoch !== undefined;

  row(id: string): Row | undefined {
    return this.rows.get(id);
  }

  /** What the user has seen, as the server or this page says. */
  markSeen(id: string, seq: number): void {
    if ((this.seen.get(id) ?? 0) >= seq) return;
    this.seen.set(id, seq);
    this.changed();
  }

  seenSeq(id: string): number {
    return this.seen.get(id) ?? 0;
  }

  group(row: Row): Group {
    if (row.asks > 0 || row.phase === "needsYou") return "needsYou";
    switch (row.phase) {
      case "running":
      case "starting":
      case "compacting":
      case "retrying":
      case "interrupting":
        return "running";
      default:
        return row.lastTurnSeq > this.seenSeq(row.id) ? "unread" : "rest";
    }
  }

  /** The store of a session, watched or not. */
  store(id: string): SessionStore {
    const known = this.stores.get(id);
    const store = known ?? new SessionStore(id, this.socket);
    // The one that was asked for last stands last.
    this.stores.delete(id);
    this.stores.set(id, store);
    for (const [old, other] of this.stores) {
      if (this.stores.size <= KEPT) break;
      if (!other.isWatched()) this.stores.delete(old);
    }
    return store;
  }

  private changed(): void {
    this.listNow = [...this.rows.values()];
    for (const listener of this.listeners) listener();
  }
}
