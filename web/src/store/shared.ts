// One value that several parts of the page share, outside of React: it is set here, and drawn again wherever it is used.

import { useSyncExternalStore } from "react";

export class Shared<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private now: T) {}

  readonly get = (): T => this.now;

  set(next: T): void {
    this.now = next;
    for (const listener of [...this.listeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

export const useShared = <T>(shared: Shared<T>): T => useSyncExternalStore(shared.subscribe, shared.get);
