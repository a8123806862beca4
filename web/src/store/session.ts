// One session as this page has it. It lives outside of React: each part that is drawn subscribes to that part alone.

import type { ClientFrame, Held as HeldPrompts, ServerFrame } from "../api/frames";
import { get, inSession, query, sentence } from "../api/http";
import type { Socket, Watch } from "../api/socket";
import type { Item, State } from "../generated";
import { type Held, hold, patch, type Touched } from "./patch";
import { type Folded, type Row, rows, stretches } from "./rows";

/** The parts of a session that somebody can look at. */
export type Part = Exclude<Touched, object> | "rows" | "items" | "held" | "watchers" | "trouble" | "known";

/** What somebody subscribes to: a part, an item, or the items of a subagent. */
type Topic = Part | `item:${string}` | `lane:${string}`;

const EMPTY: State = {
  floor: [0, 0],
  status: {
    phase: "asleep",
    words: "",
    since: 0,
    compacting: false,
    earlierSessionIds: [],
    agent: "none",
    lostGrants: [],
  },
  meters: {
    costUsd: 0,
    inheritedUsd: 0,
    models: {},
    tokens: { inputTokens: 0, outputTokens: 0 },
    turns: 0,
    durationMs: 0,
    context: { categories: [], compactions: [], compacted: 0 },
    limits: {},
  },
  catalog: {
    tools: [],
    commands: [],
    terminalCommands: [],
    agents: [],
    agentKinds: [],
    skills: [],
    plugins: [],
    models: [],
    outputStyles: [],
    capabilities: [],
    directories: [],
  },
  tasks: [],
  jobs: [],
  mcp: [],
  queue: [],
  asks: [],
  items: [],
};

/** How many older items are brought at a time. */
const OLDER = 200;

export class SessionStore implements Watch {
  private state: Held = hold(EMPTY);
  private epoch: string | undefined;
  private seq = 0;
  private readonly listeners = new Map<Topic, Set<() => void>>();
  /** Made anew when items come, go or move, and asked for. */
  private rowsNow: readonly Row[] | undefined;
  /** What was folded when the rows were made last. */
  private foldedNow: Folded = new Map();
  private lanes = new Map<string, readonly Item[]>();
  /** Goes up when items come, go or are others; not while one grows. */
  private itemsNow = 0;
  /** The rows that the reader has unfolded. */
  private readonly unfolded = new Set<string>();
  private heldNow: HeldPrompts = { prompts: [] };
  private watchersNow = 1;
  private troubleNow: { code: string; message: string } | undefined;
  private unwatch: (() => void) | undefined;
  private bringing = false;
  /** Is the reader in the middle of it? Then neither a turn that ends nor a step of one that runs is folded before his eyes. */
  keepsOpen = false;

  constructor(
    readonly id: string,
    private readonly socket: Socket,
  ) {}

  /** Watches it from now on. */
  open(): void {
    this.unwatch ??= this.socket.watch(this);
  }

  /** Watches it no longer. What is known of it stays, and is where the next look begins. */
  close(): void {
    this.unwatch?.();
    this.unwatch = undefined;
    this.socket.say({ kind: "unwatch", session: this.id });
  }

  isWatched(): boolean {
    return this.unwatch !== undefined;
  }

  ask(): ClientFrame {
    const from = this.epoch === undefined ? {} : { epoch: this.epoch, seq: this.seq };
    return { kind: "watch", session: this.id, ...from };
  }

  hear(frame: ServerFrame): boolean {
    if (!("session" in frame) || frame.session !== this.id) return false;
    switch (frame.kind) {
      case "session":
        this.take(frame.answer);
        break;
      case "held":
        this.heldNow = frame.held;
        this.tell("held");
        break;
      case "presence":
        this.watchersNow = frame.watchers;
        this.tell("watchers");
        break;
      case "error":
        this.troubleNow = { code: frame.code, message: sentence(frame.message) };
        this.tell("trouble");
        break;
      default:
        frame satisfies never;
    }
    return true;
  }

  private take(answer: Extract<ServerFrame, { kind: "session" }>["answer"]): void {
    this.seq = answer.seq;
    if (answer.kind === "snapshot") {
      this.epoch = answer.epoch;
      this.state = hold(answer.state);
      this.rowsNow = undefined;
      this.lanes.clear();
      this.itemsNow++;
      this.troubleNow = undefined;
      this.tellAll();
      return;
    }
    const topics = new Set<Topic>();
    for (const change of answer.changes) {
      const isEnd = change.change === "put" && change.item.body.kind === "turn";
      if (isEnd && this.keepsOpen && !this.state.items.get(change.item.id)) this.unfolded.add(change.item.id);
      this.note(patch(this.state, change), topics);
      if (change.change === "put" || change.change === "drop") topics.add("items");
    }
    if (topics.has("items")) this.itemsNow++;
    for (const topic of topics) this.tell(topic);
  }

  /** What is to be drawn again after a change. */
  private note(touched: Touched | undefined, topics: Set<Topic>): void {
    if (touched === undefined) return;
    if (typeof touched === "string") {
      topics.add(touched);
      return;
    }
    const id = "item" in touched ? touched.item : touched.moved;
    topics.add(`item:${id}`);
    const parent = this.state.items.get(id)?.parent;
    if ("moved" in touched) {
      this.rowsNow = undefined;
      topics.add("rows");
      // One that went does not say whose it was.
      if (parent === undefined) for (const lane of this.lanes.keys()) topics.add(`lane:${lane}`);
      this.lanes.clear();
    }
    if (parent !== undefined) {
      this.lanes.delete(parent);
      topics.add(`lane:${parent}`);
    }
  }

  readonly subscribe = (topic: Topic, listener: () => void): (() => void) => {
    const there = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, there);
    there.add(listener);
    return () => {
      there.delete(listener);
      if (there.size === 0) this.listeners.delete(topic);
    };
  };

  /** Has the server said anything of it yet? */
  isKnown(): boolean {
    return this.epoch !== undefined;
  }

  part<P extends Exclude<keyof Held, "items" | "floor">>(part: P): Held[P] {
    return this.state[part];
  }

  item(id: string): Item | undefined {
    return this.state.items.get(id);
  }

  /** All items, in order. The same list is changed: what it is now is told by the number. */
  items(): readonly Item[] {
    return this.state.items.all();
  }

  itemsVersion(): number {
    return this.itemsNow;
  }

  /** Unfolds what an item lies in. Gives the key of the row that shows it; none if it is not held. */
  unfoldTo(id: string): string | undefined {
    let item = this.item(id);
    while (item?.parent !== undefined) item = this.item(item.parent);
    if (item === undefined) return undefined;
    const { id: key } = item;
    if (this.rows().some((row) => row.key === key)) return key;
    const stretch = stretches(this.items()).find(({ turn }) => turn.some(({ id: held }) => held === key));
    if (stretch === undefined) return undefined;
    this.unfolded.add(stretch.key);
    this.rowsNow = undefined;
    this.tell("rows");
    // The mark of an interrupt has no row where the turn says it.
    return this.rows().some((row) => row.key === key) ? key : stretch.end?.id;
  }

  /** The items of a subagent, in order. */
  lane(parent: string): readonly Item[] {
    const known = this.lanes.get(parent);
    if (known) return known;
    const lane = this.state.items.all().filter((item) => item.parent === parent);
    this.lanes.set(parent, lane);
    return lane;
  }

  /** What the conversation is drawn as, line by line. */
  rows(): readonly Row[] {
    if (this.rowsNow === undefined) {
      this.rowsNow = rows(this.state.items.all(), this.unfolded, this.keepsOpen ? this.foldedNow : undefined);
      const folds = this.rowsNow.filter((row) => row.kind === "earlier");
      this.foldedNow = new Map(folds.map(({ key, steps }) => [key, steps]));
    }
    return this.rowsNow;
  }

  /** Unfolds a row, or folds it again. */
  toggle(key: string): void {
    if (!this.unfolded.delete(key)) this.unfolded.add(key);
    this.rowsNow = undefined;
    this.tell("rows");
  }

  /** Items to look at without watching the session, where it worked. */
  show(items: Item[], cwd: string | undefined): void {
    const status = cwd === undefined ? EMPTY.status : { ...EMPTY.status, cwd };
    this.state = hold({ ...EMPTY, status, items });
    this.rowsNow = undefined;
    this.lanes.clear();
    this.itemsNow++;
    this.tellAll();
  }

  held(): HeldPrompts {
    return this.heldNow;
  }

  /** How many screens watch it, this one included. */
  watchers(): number {
    return this.watchersNow;
  }

  /** Why it cannot be watched. */
  trouble(): { code: string; message: string } | undefined {
    return this.troubleNow;
  }

  /** The last record that is known; what was seen up to it was read. */
  lastSeq(): number {
    return this.seq;
  }

  hasOlder(): boolean {
    return this.state.floor[0] > 0;
  }

  /** Brings items that stand before those that are held. True if there were any. */
  async bringOlder(): Promise<boolean> {
    if (this.bringing || !this.hasOlder()) return false;
    this.bringing = true;
    try {
      const held = this.state;
      const [before, beforePart] = held.floor;
      const path = inSession(this.id, "items") + query({ before, beforePart, limit: OLDER });
      const page = await get<{ items: Item[]; more: boolean }>(path);
      // The session was taken in anew meanwhile, and begins elsewhere: what came would leave a gap.
      if (this.state !== held) return false;
      // What was put into their place meanwhile is newer than the answer.
      for (const item of page.items) if (!this.state.items.get(item.id)) this.state.items.put(item);
      this.state.floor = page.more ? (page.items[0]?.order ?? [0, 0]) : [0, 0];
      this.rowsNow = undefined;
      this.lanes.clear();
      this.itemsNow++;
      this.tellAll();
      return page.items.length > 0;
    } finally {
      this.bringing = false;
    }
  }

  private tell(topic: Topic): void {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener();
  }

  private tellAll(): void {
    for (const topic of [...this.listeners.keys()]) this.tell(topic);
  }
}
