// The one WebSocket: it is opened, kept alive and opened again; whoever watches something says so once and is told what came.
// What a broken, half-open or frozen connection looks like from here is decided in this file alone.

import type { ClientFrame, ServerFrame } from "./frames";
import { ApiError } from "./http";
import { browser, type Net } from "./net";

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
/** … and after so long again it is not; sooner, if there is a reason to doubt it. */
const PATIENCE_MS = 10_000;
const DOUBT_MS = 4_000;
/** Getting a ticket and opening a connection take no longer than this, each. */
const OPENING_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 16_000;
/** A connection that has lasted so long is a good one: the next retry is a first one again. */
const GOOD_MS = 20_000;
/** How often the clock is looked at; when it has jumped, the computer slept. */
const PULSE_MS = 5_000;
const SLEPT_MS = 15_000;

export class Socket {
  private socket: WebSocket | undefined;
  private readonly watches = new Set<Watch>();
  /** Those of them that have heard nothing since they asked. */
  private readonly behind = new Set<Watch>();
  /** What comes before this pong was meant for somebody who watched the same thing before. */
  private readonly fences = new Map<Watch, number>();
  /** Who has been answered when this pong comes, with or without a frame. */
  private readonly answered = new Map<number, Watch>();
  private nonce = 0;
  private readonly listeners = new Set<() => void>();
  private state: Connection = { kind: "connecting" };
  private retryMs = FIRST_RETRY_MS;
  private openedAt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private pulsedAt = 0;
  private stopped = true;
  private connecting: AbortController | undefined;
  private refused = false;
  /** Which server build the page was made for; another one means that the page is old. */
  private hello: { version: string; instance: string; device: string } | undefined;
  private outdated = false;

  constructor(private readonly net: Net = browser) {}

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    if (typeof window !== "undefined") {
      // A laptop that wakes up, or a network that is back or has gone, is no time to wait.
      for (const name of ["online", "offline", "pageshow"]) window.addEventListener(name, this.hurry);
      document.addEventListener("visibilitychange", this.hurry);
    }
    this.pulsedAt = this.net.now();
    this.pulse = setInterval(this.look, PULSE_MS);
    void this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    this.retry = undefined;
    clearTimeout(this.quiet);
    clearInterval(this.pulse);
    this.connecting?.abort();
    if (typeof window !== "undefined") {
      for (const name of ["online", "offline", "pageshow"]) window.removeEventListener(name, this.hurry);
      document.removeEventListener("visibilitychange", this.hurry);
    }
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  /** Watches until the returned function is called. */
  watch(watch: Watch): () => void {
    this.watches.add(watch);
    this.ask(watch);
    this.settle();
    return () => {
      this.watches.delete(watch);
      this.behind.delete(watch);
      this.fences.delete(watch);
      this.settle();
    };
  }

  /** Says something, if there is anybody to hear it. What was not said is asked anew on the next connection. */
  say(frame: ClientFrame): void {
    if (this.isOpen()) this.socket?.send(JSON.stringify(frame));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly connection = (): Connection => this.state;
  /** The server was replaced by another build: the page should be loaded again. */
  readonly isOutdated = (): boolean => this.outdated;
  /** The server does not know this browser any more. */
  readonly isRefused = (): boolean => this.refused;
  readonly device = (): string | undefined => this.hello?.device;

  /** Somebody else was told that this browser is not known. */
  refuse(): void {
    if (this.refused) return;
    this.refused = true;
    this.tell();
  }

  /** Tries now, without waiting for the next time. */
  readonly hurry = (): void => {
    if (this.stopped || (typeof document !== "undefined" && document.visibilityState === "hidden")) return;
    if (this.isOpen()) this.probe(DOUBT_MS);
    else if (this.retry !== undefined || this.refused) void this.connect();
  };

  private isOpen(): boolean {
    return this.socket?.readyState === 1;
  }

  private ask(watch: Watch): void {
    if (!this.isOpen()) return;
    this.behind.add(watch);
    // Frames of an earlier watch may still be on their way. The server answers in order, so they come before this pong; taken
    // for answers to the new one, they would be applied twice.
    this.nonce += 1;
    this.fences.set(watch, this.nonce);
    this.say({ kind: "ping", nonce: this.nonce });
    const frame = watch.ask();
    this.say(frame);
    if (frame.kind !== "list") return;
    // Who misses nothing of the list is sent nothing.
    this.nonce += 1;
    this.answered.set(this.nonce, watch);
    this.say({ kind: "ping", nonce: this.nonce });
  }

  /** Timers stand still while a computer sleeps, and so does the connection. */
  private readonly look = (): void => {
    const now = this.net.now();
    const slept = now - this.pulsedAt > SLEPT_MS;
    this.pulsedAt = now;
    if (slept) this.hurry();
  };

  private async connect(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    if (this.stopped || this.connecting || this.socket) return;
    const connecting = new AbortController();
    this.connecting = connecting;
    const late = setTimeout(() => connecting.abort(), OPENING_MS);
    try {
      const ticket = await this.net.ticket(connecting.signal);
      if (!this.stopped) this.listen(this.net.open(ticket));
    } catch (error) {
      // Who is not let in has to log in: asking again and again does not help.
      const isRefused = error instanceof ApiError && error.status === 401;
      this.lost(isRefused);
    } finally {
      clearTimeout(late);
      if (this.connecting === connecting) this.connecting = undefined;
    }
  }

  private listen(socket: WebSocket): void {
    this.socket = socket;
    const isOurs = () => this.socket === socket;
    this.quiet = setTimeout(() => this.drop(socket), OPENING_MS);
    socket.onopen = () => {
      if (!isOurs()) return;
      this.openedAt = this.net.now();
      this.refused = false;
      this.behind.clear();
      this.fences.clear();
      this.answered.clear();
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
      if (isOurs()) this.drop(socket);
    };
  }

  private hear(frame: ServerFrame): void {
    if (frame.kind === "hello") {
      this.greet(frame);
      return;
    }
    if (frame.kind === "pong") {
      this.pong(frame.nonce);
      return;
    }
    for (const watch of [...this.watches]) {
      if (this.fences.has(watch)) continue;
      try {
        if (watch.hear(frame)) this.behind.delete(watch);
      } catch (error) {
        // What one of them cannot take in is no loss for the others.
        reportError(error);
      }
    }
    this.settle();
  }

  private pong(nonce: number): void {
    for (const [watch, fence] of this.fences) if (fence === nonce) this.fences.delete(watch);
    const watch = this.answered.get(nonce);
    this.answered.delete(nonce);
    if (watch) this.behind.delete(watch);
    this.settle();
  }

  private greet(hello: { version: string; instance: string; device: string }): void {
    const before = this.hello;
    this.hello = hello;
    if (before === undefined) return;
    if (before.version !== hello.version) this.age();
    // The same version can have been built again.
    else this.net.isPageCurrent().then((isCurrent) => isCurrent || this.age(), noMatter);
  }

  private age(): void {
    if (this.outdated) return;
    this.outdated = true;
    this.tell();
  }

  private settle(): void {
    if (this.isOpen()) this.become({ kind: this.behind.size === 0 ? "live" : "catchingUp" });
  }

  /** Gives a connection up, whatever it says later. */
  private drop(socket: WebSocket): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    socket.close();
    // One that was closed as soon as it was open is no success: who comes back at once each time is a storm.
    if (this.openedAt > 0 && this.net.now() - this.openedAt > GOOD_MS) this.retryMs = FIRST_RETRY_MS;
    this.openedAt = 0;
    this.lost(false);
  }

  private lost(isRefused: boolean): void {
    clearTimeout(this.quiet);
    if (this.stopped) return;
    const changed = this.refused !== isRefused;
    this.refused = isRefused;
    if (this.state.kind !== "offline") this.become({ kind: "offline", since: this.net.now() });
    else if (changed) this.tell();
    if (isRefused) return;
    // Not all screens at the same moment, when a server comes back.
    const wait = this.retryMs * (0.5 + Math.random() / 2);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), wait);
  }

  /** The other side has been heard: it is asked again when it has been silent for long. */
  private stillThere(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.probe(PATIENCE_MS), QUIET_MS);
  }

  /** Asks whether the other side is there. A connection that is half open says nothing, for ever. */
  private probe(patienceMs: number): void {
    clearTimeout(this.quiet);
    const socket = this.socket;
    if (!socket) return;
    this.nonce += 1;
    this.say({ kind: "ping", nonce: this.nonce });
    this.quiet = setTimeout(() => this.drop(socket), patienceMs);
  }

  private become(state: Connection): void {
    if (this.state.kind === state.kind) return;
    this.state = state;
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

const noMatter = (): void => {};
