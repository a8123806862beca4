// All sessions as the list has them, and the stores of those that are looked at. The feed says what they do; what the user
// has said about them (title, archive, read) is asked for beside it.

import type { ClientFrame, Row, ServerFrame } from "../api/frames";
import { listPage, oneSession, type Summary } from "../api/server";
import type { Socket, Watch } from "../api/socket";
import { SessionStore } from "./session";

/** Where a session stands in the list: what needs somebody comes first. */
export type Group = "needsYou" | "running" | "unread" | "rest";

export const GROUPS: readonly Group[] = ["needsYou", "running", "unread", "rest"];

/** What kind of answer a session waits for. */
export type AskKind = "permission" | "question";

/** So many sessions are kept that nobody looks at, so that going back to one takes no time. */
const KEPT = 8;
/** Pages of the list: the first one is small, so that it is there soon. */
const FIRST_PAGE = 100;
const PAGE = 500;
const MOST_PAGES = 5;
/** So many rows are asked for one by one; of more, the list is asked for. */
const ONE_BY_ONE = 6;
const TOGETHER_MS = 150;
const MARKED_MS = 10_000;

/** Where the list comes from; another one in tests. */
export interface Lists {
  page(ask: { limit: number; after?: string; archived?: boolean }): Promise<{ sessions: Summary[]; next?: string }>;
  one(id: string): Promise<Summary>;
}

const server: Lists = { page: listPage, one: oneSession };

type Own = { title: string | undefined; archived: boolean; seenSeq: number };

export class Sessions implements Watch {
  private epoch: string | undefined;
  private revision = 0;
  /** As the feed has them. */
  private readonly rows = new Map<string, Row>();
  /** Those that the feed does not have (yet). */
  private readonly others = new Map<string, Row>();
  private readonly own = new Map<string, Own>();
  private listNow: readonly Row[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly stores = new Map<string, SessionStore>();
  /** Rows of which it is not known what the user has said. */
  private readonly unknown = new Set<string>();
  /** When this page said what was read: for a while the server may not have heard of it. */
  private readonly markedAt = new Map<string, number>();
  private asking: ReturnType<typeof setTimeout> | undefined;
  private loaded = false;

  constructor(
    private readonly socket: Socket,
    private readonly lists: Lists = server,
  ) {}

  start(): void {
    this.socket.watch(this);
    let wasOffline = false;
    this.socket.subscribe(() => {
      const { kind } = this.socket.connection();
      if (kind === "live" && wasOffline) void this.refresh();
      wasOffline = kind === "offline" || (wasOffline && kind !== "live");
    });
    void this.load();
  }

  ask(): ClientFrame {
    return this.epoch === undefined ? { kind: "list" } : { kind: "list", epoch: this.epoch, revision: this.revision };
  }

  hear(frame: ServerFrame): boolean {
    if (frame.kind !== "list") return false;
    const { epoch, revision, whole, rows, gone } = frame.answer;
    const before = new Map(this.rows);
    if (whole) this.rows.clear();
    this.epoch = epoch;
    this.revision = revision;
    for (const row of rows) {
      this.rows.set(row.id, row);
      this.others.delete(row.id);
      // Another title of the agent may or may not be what the user sees.
      if (!this.own.has(row.id) || (before.has(row.id) && before.get(row.id)?.title !== row.title)) this.wonder(row.id);
    }
    for (const id of gone) this.forget(id);
    this.changed();
    return true;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** All of them, those in the archive too. Another list each time something has changed, and only then. */
  readonly list = (): readonly Row[] => this.listNow;

  /** Has the server told of them yet? */
  readonly isKnown = (): boolean => this.epoch !== undefined || this.loaded;

  row(id: string): Row | undefined {
    return this.rows.get(id) ?? this.others.get(id);
  }

  /** What the user calls it, or else the agent. */
  title(id: string): string | undefined {
    return this.own.get(id)?.title || this.row(id)?.title || undefined;
  }

  isArchived(id: string): boolean {
    return this.own.get(id)?.archived ?? false;
  }

  seenSeq(id: string): number {
    return this.own.get(id)?.seenSeq ?? 0;
  }

  /** What the user has seen, as the server or this page says. */
  markSeen(id: string, seq: number): void {
    if (this.seenSeq(id) >= seq) return;
    this.markedAt.set(id, Date.now());
    this.setOwn(id, { seenSeq: seq });
  }

  markUnread(id: string): void {
    this.markedAt.set(id, Date.now());
    this.setOwn(id, { seenSeq: 0 });
  }

  setTitle(id: string, title: string | undefined): void {
    this.setOwn(id, { title });
    if (title === undefined) this.wonder(id);
  }

  setArchived(id: string, archived: boolean): void {
    this.setOwn(id, { archived });
  }

  /** It was removed for good. */
  forget(id: string): void {
    this.rows.delete(id);
    this.others.delete(id);
    this.own.delete(id);
    this.unknown.delete(id);
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
      default: {
        // While it is not known what was read, nothing calls.
        const own = this.own.get(row.id);
        return own && row.lastTurnSeq > own.seenSeq ? "unread" : "rest";
      }
    }
  }

  /** What kind of answer it waits for. The row says it in its words alone, unless the session is held here. */
  askKind(row: Row): AskKind {
    const held = this.stores.get(row.id);
    const ask = held?.isWatched() ? held.part("asks")[0] : undefined;
    const isPermission = ask ? ask.body.kind === "permission" : row.words.startsWith("Wants to run");
    return isPermission ? "permission" : "question";
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

  /** Everything, page by page. */
  private async load(): Promise<void> {
    try {
      await this.pages(false);
      await this.pages(true);
    } catch {
      // The connection says that it is lost; it is asked for again when that is back.
    }
    this.loaded = true;
    this.changed();
  }

  private async pages(archived: boolean): Promise<void> {
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const ask = { limit: page === 0 ? FIRST_PAGE : PAGE, archived };
      const { sessions, next } = await this.lists.page(after === undefined ? ask : { ...ask, after });
      this.take(sessions);
      if (next === undefined) return;
      after = next;
    }
  }

  /** What was said on other screens meanwhile. */
  async refresh(): Promise<void> {
    try {
      for (const archived of [false, true])
        this.take((await this.lists.page({ limit: FIRST_PAGE, archived })).sessions);
    } catch {
      // As it was, then.
    }
  }

  private take(summaries: readonly Summary[]): void {
    for (const summary of summaries) {
      const { archived, seenSeq, ...row } = summary;
      this.unknown.delete(row.id);
      const isMarked = Date.now() - (this.markedAt.get(row.id) ?? 0) < MARKED_MS;
      const seen = isMarked ? this.seenSeq(row.id) : seenSeq;
      this.own.set(row.id, { title: row.title ?? undefined, archived, seenSeq: seen });
      if (!this.rows.has(row.id)) this.others.set(row.id, row);
    }
    this.changed();
  }

  private setOwn(id: string, own: Partial<Own>): void {
    const before = this.own.get(id) ?? { title: undefined, archived: false, seenSeq: 0 };
    this.own.set(id, { ...before, ...own });
    this.changed();
  }

  /** Asks what the user has said about a session; those of a moment together. */
  private wonder(id: string): void {
    this.unknown.add(id);
    this.asking ??= setTimeout(() => {
      this.asking = undefined;
      const ids = [...this.unknown];
      this.unknown.clear();
      if (ids.length > ONE_BY_ONE) {
        // Those that are not on the first page are old; the pages come to them.
        if (this.loaded) void this.refresh();
        return;
      }
      for (const one of ids) this.lists.one(one).then((summary) => this.take([summary]), noMatter);
    }, TOGETHER_MS);
  }

  private changed(): void {
    this.listNow = [...this.rows.values(), ...this.others.values()];
    for (const listener of [...this.listeners]) listener();
  }
}

const noMatter = (): void => {};
