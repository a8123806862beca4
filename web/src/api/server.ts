// What the frame asks of the server by HTTP: the list as it is kept, what is the user's own, folders, starting and ending.
// The forms are those of `crates/server/src/routes`.

import type { Row } from "./frames";
import { get, inSession, patch, post, query, remove } from "./http";

/** A session in the list, with what the user has said about it. */
export type Summary = Row & { archived: boolean; seenSeq: number };

export type ListPage = { sessions: Summary[]; next?: string };

/** What a session is started with; what is left out is left to the CLI. */
export type Options = {
  cwd?: string;
  model?: string;
  fallbackModels?: string[];
  mode?: string;
  effort?: string;
  maxTurns?: number;
  maxBudgetUsd?: number;
  allowedTools?: string[];
  disallowedTools?: string[];
  directories?: string[];
  systemPrompt?: string;
  appendSystemPrompt?: string;
  mcpServers?: Record<string, unknown>;
  mcpFiles?: string[];
  strictMcp?: boolean;
  agent?: string;
  title?: string;
  bypassPermissions?: boolean;
};

export type About = {
  version: string;
  instance: string;
  roots: string[];
  allowsBypass: boolean;
  indexing?: { done: number; all: number } | null;
  /** Whether there is a CLI to start. A server that does not say so is believed to have one. */
  agent?: { version?: string | null; path?: string | null; problem?: string | null; searched?: string[] };
};

export type Folders = { path?: string | null; folders: string[] };

export type Transcript = {
  session: string;
  cwd?: string | null;
  title?: string | null;
  modifiedAt: number;
  bytes: number;
};

export type Spent = { name: string; costUsd: number; turns: number; sessions: number };

/** What fills the context, as the CLI answers; all of it may be missing. */
export type ContextAnswer = {
  totalTokens?: number;
  maxTokens?: number;
  categories?: { name?: string; tokens?: number }[];
};

export const about = (): Promise<About> => get<About>("about");

export const listPage = (ask: { limit: number; after?: string; archived?: boolean }): Promise<ListPage> =>
  get<ListPage>(`sessions${query(ask)}`);

export const oneSession = (id: string): Promise<Summary & { running: boolean; options: Options }> => get(inSession(id));

export const changeOwn = (
  id: string,
  own: { title?: string; archived?: boolean; seenSeq?: number; unread?: boolean },
): Promise<void> => patch(inSession(id), own);

export const removeSession = (id: string): Promise<void> => remove(inSession(id));

export const changeSettings = (id: string, settings: { model?: string; mode?: string; effort?: string }) =>
  patch(inSession(id, "settings"), settings);

export const startSession = (body: {
  id?: string;
  options: Options;
  message?: { id: string; text: string };
  continueRecent?: boolean;
}): Promise<{ session: string }> => post("sessions", body);

export const resumeSession = (id: string, takeOver?: "end" | "beside"): Promise<{ session: string }> =>
  post(inSession(id, "resume"), takeOver ? { takeOver } : {});

export const forkSession = (id: string): Promise<{ session: string }> => post(inSession(id, "fork"));

export const closeAgent = (id: string): Promise<void> => post(inSession(id, "close"));

export const askContext = (id: string): Promise<ContextAnswer> => get(inSession(id, "context"));

export const folders = (path?: string): Promise<Folders> => get(`folders${query({ path })}`);

export const allowRoot = (path: string): Promise<void> => post("roots", { path });

export const transcripts = (): Promise<Transcript[]> => get("transcripts");

export const importTranscript = (id: string): Promise<{ session: string }> =>
  post(`transcripts/${encodeURIComponent(id)}/import`);

/** What was spent since this moment, by the days of whoever asks. */
export const spentSince = (from: number): Promise<Spent[]> =>
  get(`usage${query({ by: "day", from, utcOffsetMinutes: -new Date().getTimezoneOffset() })}`);
