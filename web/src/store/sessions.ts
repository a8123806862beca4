// All sessions as the list has them, and the stores of those that are looked at.

import type { Asking, ClientFrame, Row, ServerFrame } from "../api/frames";
import type { Socket, Watch } from "../api/socket";
import { SessionStore } from "./session";

/** Where a session stands in the list: what needs somebody comes first. */
export type Group = "needsYou" | "running" | "unread" | "rest";

export const GROUPS: readonly Group[] = ["needsYou", "running", "unread", "rest"];

/** So many sessions are kept that nobody looks at, so that going back to one takes no time. */
const KEPT = 8;

/** What the user says about a session. */
type Own = { title: string | undefined; archived: boolean; seenSeq: number };

/** The same before the server has said so. Once it has taken it, its next word holds, whatever that is. */
type Said = { own: Partial<Own>; isTaken: boolean };

export class Sessions implements Watch {
  private epoch: string | undefined;
  private revision = 0;
  private readonly rows = new Map<string, Row>();
  /** What was said on this page and not heard back yet. */
  private readonly said = new Map<string, Said>();
  private listNow: readonly Row[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly stores = new Map<string, SessionStore>();

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
    for (const row of rows) {
      this.rows.set(row.id, row);
      this.heard(row);
    }
    for (const id of gone) this.rows.delete(id);
    this.changed();
    return true;
  }

  /** What the server says too, or knows better by now, need not be kept here. */
  private heard(row: Row): void {
    const said = this.said.get(row.id);
    if (!said) return;
    const { own, isTaken } = said;
    const isSaidToo =
      (!("title" in own) || (own.title ?? row.title) === row.title) &&
      (own.archived ?? row.archived) === row.archived &&
      (own.seenSeq ?? row.seenSeq) === row.seenSeq;
    if (isTaken || isSaidToo) this.said.delete(row.id);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** All of them, those in the archive too. Another list each time something has changed, and only then. */
  readonly list = (): readonly Row[] => this.listNow;

  /** Has the server told of them yet? */
  readonly isKnown = (): boolean => this.epoch !== undefined;

  row(id: string): Row | undefined {
    return this.rows.get(id);
  }

  /** What the user calls it, or else the agent. */
  title(id: string): string | undefined {
    return this.said.get(id)?.own.title || this.row(id)?.title || undefined;
  }

  isArchived(id: string): boolean {
    return this.said.get(id)?.own.archived ?? this.row(id)?.archived ?? false;
  }

  seenSeq(id: string): number {
    return this.said.get(id)?.own.seenSeq ?? this.row(id)?.seenSeq ?? 0;
  }

  /**
   * What is so from now on, before the server has said so. `telling` tells the server; what that does not take is taken back, and
   * it fails as `telling` does.
   */
  async say(id: string, own: Partial<Own>, telling: Promise<unknown>): Promise<void> {
    const said: Said = { own: { ...this.said.get(id)?.own, ...own }, isTaken: false };
    this.said.set(id, said);
    this.changed();
    try {
      await telling;
      said.isTaken = true;
    } catch (cause) {
      this.unsay(id, own);
      throw cause;
    }
  }

  /** Takes back what was said; not what was said since. */
  private unsay(id: string, own: Partial<Own>): void {
    const now = this.said.get(id);
    if (!now) return;
    const left = Object.entries(now.own).filter(([name, value]) => own[name as keyof Own] !== value);
    if (left.length === 0) this.said.delete(id);
    else now.own = Object.fromEntries(left);
    this.changed();
  }

  /** It was removed for good. */
  forget(id: string): void {
    this.rows.delete(id);
    this.said.delete(id);
    this.changed();
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

  /** What kind of answer it waits for. An older server says it in its words alone. */
  askKind(row: Row): Asking {
    if (row.asking) return row.asking;
    const held = this.stores.get(row.id);
    const ask = held?.isWatched() ? held.part("asks")[0] : undefined;
    return ask?.body.kind ?? (row.words.startsWith("Wants to run") ? "permission" : "question");
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

  /** The models that any session here has told of: what a new one can be started with. */
  models() {
    for (const store of [...this.stores.values()].reverse()) {
      const { models } = store.part("catalog");
      if (models.length > 0) return models;
    }
    return [];
  }

  private changed(): void {
    this.listNow = [...this.rows.values()];
    for (const listener of [...this.listeners]) listener();
  }
}
