// What goes over the WebSocket, both ways, and what the list of sessions is made of.

import type { Change, Phase, State } from "../generated";

export type ClientFrame =
  | { kind: "watch"; session: string; epoch?: string; seq?: number }
  | { kind: "unwatch"; session: string }
  | { kind: "list"; epoch?: string; revision?: number }
  | { kind: "unlist" }
  | { kind: "ping"; nonce: number };

export type ServerFrame =
  | { kind: "hello"; version: string; instance: string; device: string }
  | { kind: "session"; session: string; answer: Answer }
  | { kind: "held"; session: string; held: Held }
  | { kind: "list"; answer: ListAnswer }
  | { kind: "presence"; session: string; watchers: number }
  | { kind: "pong"; nonce: number }
  | { kind: "error"; code: string; message: string; session?: string | null };

/** What a screen lacks. */
export type Answer =
  | { kind: "changes"; seq: number; changes: Change[] }
  | { kind: "snapshot"; epoch: string; seq: number; state: State };

/** What the list has that the screen lacks. */
export type ListAnswer = { epoch: string; revision: number; whole: boolean; rows: Row[]; gone: string[] };

/** A session in the list. */
export type Row = {
  id: string;
  title?: string | null;
  cwd?: string | null;
  phase: Phase;
  words: string;
  since: number;
  needsYou?: string | null;
  /** What kind of answer it waits for. A server that does not say so leaves it out. */
  asking?: Asking | null;
  /** Why the last turn that ended did not end well, in words. */
  failed?: string | null;
  asks: number;
  unconfirmed: number;
  costUsd: number;
  turns: number;
  model?: string | null;
  mode?: string | null;
  lastTurnSeq: number;
  archived: boolean;
  seenSeq: number;
};

/** What an agent can wait for. */
export type Asking = "permission" | "question" | "plan" | "elicitation" | "dialog";

/** The prompts of a session that wait in the host. */
export type Held = { prompts: HeldPrompt[]; paused?: "interrupted" | "failed" | "died" };

export type HeldPrompt = { id: string; uuid: string; text: string; attachments: number; by?: string; at: number };
