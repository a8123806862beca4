// Stopping a turn: two presses of Escape within two seconds, or one press of Stop, in; an interrupt out.

import { useSyncExternalStore } from "react";
import { ApiError, inSession, messageOf, post } from "../../api/http";

/** So long after the first press the second one counts. */
export const ARMED_MS = 2000;

export type Stopping = { kind: "still" } | { kind: "armed" } | { kind: "sending" } | { kind: "failed"; words: string };

const STILL: Stopping = { kind: "still" };

export class Interrupt {
  private state: Stopping = STILL;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  /** `send` asks the agent to stop. */
  constructor(private readonly send: () => Promise<unknown>) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly now = (): Stopping => this.state;

  /** The first press arms, the second one stops. */
  press(): void {
    if (this.state.kind === "armed") {
      void this.stop();
    } else if (this.state.kind !== "sending") {
      this.become({ kind: "armed" });
      this.timer = setTimeout(() => this.become(STILL), ARMED_MS);
    }
  }

  async stop(): Promise<void> {
    if (this.state.kind === "sending") return;
    this.become({ kind: "sending" });
    try {
      await this.send();
      this.become(STILL);
    } catch (cause) {
      // A turn that has ended meanwhile is what was wanted.
      const isOver = cause instanceof ApiError && cause.code === "not_running";
      this.become(isOver ? STILL : { kind: "failed", words: messageOf(cause) });
    }
  }

  /** The turn is over. */
  rest(): void {
    if (this.state.kind !== "still") this.become(STILL);
  }

  private become(state: Stopping): void {
    clearTimeout(this.timer);
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const known = new Map<string, Interrupt>();

export function interruptOf(session: string): Interrupt {
  const there = known.get(session);
  if (there) return there;
  const made = new Interrupt(() => post(inSession(session, "interrupt")));
  known.set(session, made);
  return made;
}

export function useStopping(session: string): Stopping {
  const interrupt = interruptOf(session);
  return useSyncExternalStore(interrupt.subscribe, interrupt.now);
}
