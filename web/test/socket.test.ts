// The socket against a server that does everything a network can do to it.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ClientFrame, ServerFrame } from "../src/api/frames";
import { ApiError } from "../src/api/http";
import type { Net } from "../src/api/net";
import { Socket, type Watch } from "../src/api/socket";

class FakeWebSocket {
  readyState = 0;
  sent: ClientFrame[] = [];
  onopen: (() => void) | undefined;
  onmessage: ((message: { data: string }) => void) | undefined;
  onclose: (() => void) | undefined;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  /** The browser's own close: the event comes later, or never when the network is gone. */
  close(): void {
    this.readyState = 2;
  }
  accept(version = "1"): void {
    this.readyState = 1;
    this.onopen?.();
    this.hears({ kind: "hello", version, instance: "i", device: "laptop" });
  }
  hears(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  /** What a server does that is there. */
  pongs(): void {
    for (const frame of this.sent.splice(0)) {
      if (frame.kind === "ping") this.hears({ kind: "pong", nonce: frame.nonce });
    }
  }
  breaks(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

let sockets: FakeWebSocket[];
let tickets: () => Promise<string>;
let isPageCurrent: boolean;
let socket: Socket;
const last = (): FakeWebSocket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("none was opened");
  return socket;
};

class Follower implements Watch {
  heard: ServerFrame[] = [];
  constructor(
    readonly session: string,
    private readonly seq = 0,
  ) {}
  ask(): ClientFrame {
    return this.session === "" ? { kind: "list" } : { kind: "watch", session: this.session, epoch: "e", seq: this.seq };
  }
  hear(frame: ServerFrame): boolean {
    const isOurs = this.session === "" ? frame.kind === "list" : "session" in frame && frame.session === this.session;
    if (isOurs) this.heard.push(frame);
    return isOurs;
  }
}

const changes = (session: string, seq: number): ServerFrame => ({
  kind: "session",
  session,
  answer: { kind: "changes", seq, changes: [] },
});

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(Math, "random").mockReturnValue(1);
  sockets = [];
  tickets = async () => "ticket";
  isPageCurrent = true;
  const net: Net = {
    ticket: () => tickets(),
    open: () => {
      const made = new FakeWebSocket();
      sockets.push(made);
      return made as unknown as WebSocket;
    },
    isPageCurrent: async () => isPageCurrent,
    now: () => Date.now(),
  };
  socket = new Socket(net);
});

afterEach(() => {
  socket.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function connected(): Promise<void> {
  socket.start();
  await vi.advanceTimersByTimeAsync(0);
  last().accept();
  last().pongs();
}

describe("connecting", () => {
  test("who watches before there is a connection asks when there is one, and is live when it was answered", async () => {
    const follower = new Follower("s");
    socket.watch(follower);
    socket.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.connection()).toEqual({ kind: "connecting" });
    last().accept();
    expect(last().sent).toContainEqual({ kind: "watch", session: "s", epoch: "e", seq: 0 });
    expect(socket.connection()).toEqual({ kind: "catchingUp" });
    last().pongs();
    last().hears(changes("s", 1));
    expect(socket.connection()).toEqual({ kind: "live" });
  });

  test("a list that misses nothing gets no frame, and is live all the same", async () => {
    socket.watch(new Follower(""));
    await connected();
    expect(socket.connection()).toEqual({ kind: "live" });
  });

  test("a connection that never opens is given up", async () => {
    socket.start();
    await vi.advanceTimersByTimeAsync(0);
    const first = last();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(socket.connection()).toMatchObject({ kind: "offline", since: 1_010_000 });
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(2);
    // What the old one says later counts for nothing.
    first.accept();
    expect(socket.connection().kind).toBe("offline");
  });

  test("a ticket that never comes is given up", async () => {
    tickets = () => new Promise(() => {});
    const aborted = vi.fn();
    socket = new Socket({
      ticket: (signal) =>
        new Promise((_, reject) => {
          signal.onabort = () => {
            aborted();
            reject(signal.reason);
          };
        }),
      open: () => new FakeWebSocket() as unknown as WebSocket,
      isPageCurrent: async () => true,
      now: () => Date.now(),
    });
    socket.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(aborted).toHaveBeenCalledOnce();
    expect(socket.connection().kind).toBe("offline");
  });
});

describe("losing it", () => {
  test("it says since when, waits longer each time, and asks anew from where everybody is", async () => {
    const follower = new Follower("s", 7);
    socket.watch(follower);
    await connected();
    tickets = async () => {
      throw new ApiError("offline", "", 0);
    };
    const asked = vi.fn(tickets);
    tickets = asked;
    last().breaks();
    expect(socket.connection()).toEqual({ kind: "offline", since: 1_000_000 });
    await vi.advanceTimersByTimeAsync(500);
    expect(asked).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(60_000);
    // 2, 4, 8, 16, 16, 16 seconds and no faster.
    expect(asked.mock.calls.length).toBeLessThanOrEqual(8);
    expect(socket.connection()).toEqual({ kind: "offline", since: 1_000_000 });
    tickets = async () => "ticket";
    while (sockets.length === 1) await vi.advanceTimersByTimeAsync(1000);
    last().accept();
    expect(last().sent).toContainEqual({ kind: "watch", session: "s", epoch: "e", seq: 7 });
  });

  test("a server that takes everybody in and closes at once is not stormed", async () => {
    socket.start();
    for (let second = 0; second < 60; second += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      const one = last();
      if (one.readyState === 0) {
        one.accept();
        one.breaks();
      }
    }
    expect(sockets.length).toBeLessThan(9);
  });

  test("after a connection that lasted, the first retry is soon", async () => {
    await connected();
    for (const _ of [1, 2, 3]) {
      for (let second = 0; second < 30; second += 1) {
        await vi.advanceTimersByTimeAsync(1000);
        last().pongs();
      }
      const before = sockets.length;
      last().breaks();
      await vi.advanceTimersByTimeAsync(500);
      expect(sockets).toHaveLength(before + 1);
      last().accept();
    }
  });

  test("a half-open connection is asked, and given up when it says nothing", async () => {
    await connected();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(last().sent.at(-1)?.kind).toBe("ping");
    expect(socket.connection().kind).toBe("live");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(socket.connection().kind).toBe("offline");
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(2);
  });

  test("after a sleep it is asked at once, and not believed for long", async () => {
    await connected();
    // The clock has gone on, the timers have not.
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(last().sent.at(-1)?.kind).toBe("ping");
    await vi.advanceTimersByTimeAsync(4_000);
    expect(socket.connection().kind).toBe("offline");
  });

  test("who is not let in is not asked for again until somebody wants it", async () => {
    const refuse = vi.fn(async (): Promise<string> => {
      throw new ApiError("not_logged_in", "", 401);
    });
    tickets = refuse;
    socket.start();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(refuse).toHaveBeenCalledTimes(1);
    expect(socket.isRefused()).toBe(true);
    expect(socket.connection().kind).toBe("offline");
    tickets = async () => "ticket";
    socket.hurry();
    await vi.advanceTimersByTimeAsync(0);
    last().accept();
    expect(socket.isRefused()).toBe(false);
    expect(socket.connection().kind).toBe("live");
  });

  test("hurrying while a connection is being made makes no second one", async () => {
    socket.start();
    socket.hurry();
    await vi.advanceTimersByTimeAsync(0);
    socket.hurry();
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets).toHaveLength(1);
  });
});

describe("watching", () => {
  test("what was on its way to an earlier watch is not applied again", async () => {
    await connected();
    const first = new Follower("s", 10);
    const leave = socket.watch(first);
    last().pongs();
    leave();
    socket.say({ kind: "unwatch", session: "s" });
    const second = new Follower("s", 10);
    socket.watch(second);
    last().hears(changes("s", 12));
    expect(second.heard).toHaveLength(0);
    expect(socket.connection().kind).toBe("catchingUp");
    last().pongs();
    last().hears(changes("s", 12));
    expect(second.heard).toHaveLength(1);
    expect(first.heard).toHaveLength(0);
    expect(socket.connection().kind).toBe("live");
  });

  test("what is left while offline is not asked for again", async () => {
    const leave = socket.watch(new Follower("s"));
    await connected();
    last().breaks();
    leave();
    socket.say({ kind: "unwatch", session: "s" });
    await vi.advanceTimersByTimeAsync(500);
    last().accept();
    expect(last().sent).toEqual([]);
    expect(socket.connection().kind).toBe("live");
  });

  test("one that fails does not keep the others from hearing", async () => {
    const failures = vi.fn();
    vi.stubGlobal("reportError", failures);
    const good = new Follower("s");
    const bad = new Follower("s");
    bad.hear = () => {
      throw new Error("no");
    };
    socket.watch(bad);
    socket.watch(good);
    await connected();
    last().hears(changes("s", 1));
    expect(good.heard).toHaveLength(1);
    expect(failures).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});

describe("a newer server", () => {
  test.each([
    ["another version", "2", true, true],
    ["the same version, built again", "1", false, true],
    ["the same server", "1", true, false],
  ])("%s", async (_, version, current, outdated) => {
    await connected();
    expect(socket.isOutdated()).toBe(false);
    isPageCurrent = current;
    last().breaks();
    await vi.advanceTimersByTimeAsync(500);
    last().accept(version);
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.isOutdated()).toBe(outdated);
  });
});
