// The one WebSocket: it is opened, kept alive and opened again; whoever watches something says so once and is told what came.

import type { ClientFrame, ServerFrame } from "./frames";
import { ApiError, apiUrl, post } from "./http";

/** How it stands with the server, as a person is told. */
export type Connection =
  | { kind: "connecting" }
  | { kind: "live" }
  /** Connected again, and something is still missing. */
  | { kind: "catchingUp" }
  | { kind: "offline"; since: number };

/** Who watches something: says where it is, hears what is new. */
export interface Watch {
  /** What to say when a connection is there, from where the watcher is. */
  ask(): ClientFrame;
  /** A frame that may be about it. True if it was. */
  hear(frame: ServerFrame): boolean;
}

/** After so long without a word from the server it is asked whether it is there … */
const QUIET_MS = 25_000;
/** … and after so long again it is not. */
const PATIENCE_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 16_000;

/** What a socket is made with; another one in tests. */
export interface Net {
  ticket(): Promise<string>;
  open(ticket: string): WebSocket;
  now(): number;
}

const browser: Net = {
  ticket: async () => (await post<{ ticket: string }>("socket-tickets")).ticket,
  open: (ticket) => {
    const url = apiUrl("socket");
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("ticket", ticket);
    return new WebSocket(url);
  },
  now: () => Date.now(),
};

export class Socket {
  private socket: WebSocket | undefined;
  private readonly watches = new Set<Watch>();
  /** Those of them that have heard nothing since the connection was made. */
  private readonly behind = new Set<Watch>();
  private readonly listeners = new Set<() => void>();
  private state: Connection = { kind: "connecting" };
  private retryMs = FIRST_RETRY_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  /** Which server build the page was made for; another one means that the page is old. */
  private hello: { version: string; instance: string; device: string } | undefined;
  /** The server was replaced by another build: the page should be loaded again. */
  private outdated = false;

  constructor(private readonly net: Net = browser) {}

  start(): void {
    this.stopped = false;
    if (typeof window !== "undefined") {
      // A laptop that wakes up, or a network that is back, is no time to wait.
      window.addEventListener("online", this.hurry);
      document.addEventListener("visibilitychange", this.hurry);
    }
    void this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    clearTimeout(this.quiet);
    if (typeof window !== "undefined") {
      window.removeEventListener("online", this.hurry);
      document.removeEventListener("visibilitychange", this.hurry);
    }
    this.socket?.close();
  }

  /** Watches until the returned function is called. */
  watch(watch: Watch): () => void {
    this.watches.add(watch);
    this.ask(watch);
    return () => {
      this.watches.delete(watch);
      this.behind.delete(watch);
    };
  }

  /** Says something, if there is anybody to hear it. */
  say(frame: ClientFrame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly connection = (): Connection => this.state;
  readonly isOutdated = (): boolean => this.outdated;
  readonly device = (): string | undefined => this.hello?.device;

  private ask(watch: Watch): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.behind.add(watch);
    this.say(watch.ask());
  }

  private readonly hurry = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.probe();
    } else if (this.retry !== undefined) {
      clearTimeout(this.retry);
      void this.connect();
    }
  };

  private async connect(): Promise<void> {
    this.retry = undefined;
    if (this.stopped) return;
    try {
      const ticket = await this.net.ticket();
      if (this.stopped) return;
      this.listen(this.net.open(ticket));
    } catch (error) {
      // Who is not let in has a page to log in before him.
      if (error instanceof ApiError && error.status === 401) return;
      this.lost();
    }
  }

  private listen(socket: WebSocket): void {
    this.socket = socket;
    const isOurs = () => this.socket === socket;
    socket.onopen = () => {
      if (!isOurs()) return;
      this.behind.clear();
      for (const watch of this.watches) this.ask(watch);
      this.settle();
      this.stillThere();
    };
    socket.onmessage = (message) => {
      if (!isOurs()) return;
      this.stillThere();
      this.hear(JSON.parse(String(message.data)) as ServerFrame);
    };
    socket.onclose = () => {
      if (!isOurs()) return;
      this.socket = undefined;
      this.lost();
    };
  }

  private hear(frame: ServerFrame): void {
    if (frame.kind === "hello") {
      this.outdated = this.outdated || (this.hello !== undefined && this.hello.version !== frame.version);
      this.hello = frame;
      this.retryMs = FIRST_RETRY_MS;
      this.tell();
      return;
    }
    for (const watch of this.watches) {
      if (watch.hear(frame)) this.behind.delete(watch);
    }
    this.settle();
  }

  private settle(): void {
    this.become({ kind: this.behind.size === 0 ? "live" : "catchingUp" });
  }

  private lost(): void {
    clearTimeout(this.quiet);
    if (this.stopped) return;
    if (this.state.kind !== "offline") this.become({ kind: "offline", since: this.net.now() });
    // Not all screens at the same moment, when a server comes back.
    const wait = this.retryMs * (0.5 + Math.random() / 2);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
    this.retry = setTimeout(() => void this.connect(), wait);
  }

  /** The other side has been heard: it is asked again when it has been silent for long. */
  private stillThere(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.probe(), QUIET_MS);
  }

  private probe(): void {
    clearTimeout(this.quiet);
    const socket = this.socket;
    this.say({ kind: "ping", nonce: 0 });
    this.quiet = setTimeout(() => {
      // A connection that is half open says nothing, for ever.
      if (this.socket !== socket) return;
      this.socket = undefined;
      socket?.close();
      this.lost();
    }, PATIENCE_MS);
  }

  private become(state: Connection): void {
    const same = this.state.kind === state.kind && state.kind !== "offline";
    if (same) return;
    this.state = state;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
