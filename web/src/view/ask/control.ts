// What every kind of prompt has in common: whether its keys are armed, how it is sent, and what came of that.

import { createContext, useCallback, useContext, useState } from "react";
import { ApiError, messageOf } from "../../api/http";
import type { Ask } from "../../generated";
import { useSession } from "../../store/use";
import { type Decision, decide } from "./decision";

/** A key that was meant for something else must not answer a prompt that has just come. */
const ARMED_AFTER_MS = 400;

/** Has what came before the reader at this moment been there for long enough? */
export const isArmed = (shownAt: number): boolean => performance.now() - shownAt >= ARMED_AFTER_MS;

/** What the dock gives to each of its prompts. */
export type Dock = {
  /** Is it a sheet over the whole of a small window? */
  isSheet: boolean;
  /** Its number among those that are open, from 1, and how many there are. */
  number: number;
  count: number;
  show: (number: number) => void;
  /** When it came before the reader. */
  shownAt: () => number;
  /** Goes back to where one writes; the question stays open. */
  leave: () => void;
  /** An answer is on its way, and then it was taken or somebody else was faster. */
  noteAnswer: (ask: Ask, outcome: "sent" | "taken" | "late" | "failed") => void;
};

export const DockContext = createContext<Dock | undefined>(undefined);

export function useDock(): Dock {
  const dock = useContext(DockContext);
  if (!dock) throw new Error("outside of the dock");
  return dock;
}

export type Deciding = {
  isSending: boolean;
  error: string | undefined;
  /** Has it been there long enough that a key cannot be meant for something else? */
  isArmed: () => boolean;
  /** True if the answer was taken. */
  send: (decision: Decision) => Promise<boolean>;
};

export function useDeciding(ask: Ask): Deciding {
  const session = useSession();
  const dock = useDock();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const send = useCallback(
    async (decision: Decision): Promise<boolean> => {
      setSending(true);
      setError(undefined);
      dock.noteAnswer(ask, "sent");
      try {
        await decide(session.id, ask.id, decision);
        // The question goes when the server says so; until then nothing can be sent a second time.
        dock.noteAnswer(ask, "taken");
        return true;
      } catch (cause) {
        const isLate = cause instanceof ApiError && cause.code === "not_asked";
        dock.noteAnswer(ask, isLate ? "late" : "failed");
        setError(messageOf(cause));
        setSending(false);
        return false;
      }
    },
    [ask, dock, session],
  );
  return { isSending, error, isArmed: useCallback(() => isArmed(dock.shownAt()), [dock]), send };
}

/** A click that a key has made: its detail counts no presses of a pointer. */
export function isByKey(event: { detail: number }): boolean {
  return event.detail === 0;
}

/** Goes to where a prompt begins: to what is chosen, or to the button that Enter presses. */
export function focusFirst(form: HTMLElement | null | undefined): void {
  const first = form?.querySelector<HTMLElement>("[data-first]") ?? form;
  first?.focus({ preventScroll: true });
}

/** Goes to the end of a field that was opened in order to be written in. */
export function toEnd({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }): void {
  currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length);
}

/** The number that is pressed, by itself; 0 if it is none. */
export function numberOf(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): number {
  return event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key) ? 0 : Number(event.key);
}
