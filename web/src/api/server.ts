// What the page asks of the server by HTTP: sessions started, changed and ended, what is the user's own, folders.
// The forms are those of `crates/server/src/routes`.

import { get, getText, inSession, patch, post, query, remove } from "./http";

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
  /** The only built-in tools that there are. */
  tools?: string[];
  directories?: string[];
  systemPrompt?: string;
  appendSystemPrompt?: string;
  mcpServers?: Record<string, unknown>;
  mcpFiles?: string[];
  strictMcp?: boolean;
  agent?: string;
  agents?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  /** Which settings files are read: `user`, `project`, `local`; all of them if nothing is said. */
  settingSources?: string[];
  title?: string;
  bypassPermissions?: boolean;
};

export type About = {
  version: string;
  instance: string;
  roots: string[];
  /** What `~` stands for at the beginning of a path. */
  home?: string | null;
  allowsBypass: boolean;
  indexing?: { done: number; all: number } | null;
  /** The CLI, or why there is none. */
  agent: { version?: string | null; path?: string | null; problem?: string | null };
};

export type Folders = { path?: string | null; folders: string[] };

export type Transcript = {
  session: string;
  cwd?: string | null;
  title?: string | null;
  modifiedAt: number;
  bytes: number;
  /** The session here that holds the same conversation. */
  known: string | null;
  /** Does a program that is not ours work on it now? */
  running: boolean;
};

export type Spent = { name: string; costUsd: number; turns: number; sessions: number };

export const about = (): Promise<About> => get<About>("about");

/** What of a session no event tells. */
export type Session = {
  /** The git branch where it works, or how the commit begins that is checked out; none where there is no repository. */
  branch?: string;
  /** What its agent is started with. */
  options?: Options;
};

export const askSession = (id: string, signal?: AbortSignal): Promise<Session> => get(inSession(id), signal);

export const changeOwn = (
  id: string,
  own: { title?: string; archived?: boolean; seenSeq?: number; unread?: boolean },
): Promise<void> => patch(inSession(id), own);

export const removeSession = (id: string): Promise<void> => remove(inSession(id));

/** What of a running agent can be changed. */
export type SessionSettings = {
  model?: string;
  mode?: string;
  effort?: string;
  fast?: boolean;
  thinking?: boolean;
};

export const changeSettings = (id: string, settings: SessionSettings) => patch(inSession(id, "settings"), settings);

export const startSession = (body: {
  id?: string;
  options: Options;
  message?: { id: string; text: string };
  continueRecent?: boolean;
}): Promise<{ session: string }> => post("sessions", body);

export const resumeSession = (id: string, takeOver?: "end" | "beside"): Promise<{ session: string }> =>
  post(inSession(id, "resume"), takeOver ? { takeOver } : {});

/** A new session that begins with what was said here, up to and with the message `at` or whole. */
export const forkSession = (id: string, at?: string): Promise<{ session: string }> =>
  post(inSession(id, "fork"), at === undefined ? {} : { at });

/** What the agent says about putting files back; all of it may be missing. */
export type RewindAnswer = {
  canRewind?: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  /** Files that were left alone because a link stands in their place. */
  skippedLinks?: number;
};

/** Puts files back as they were before a message, or only tells which those would be. */
export const rewindFiles = (id: string, message: string, dryRun: boolean): Promise<RewindAnswer> =>
  post(inSession(id, "rewind"), { message, dryRun });

export const closeAgent = (id: string): Promise<void> => post(inSession(id, "close"));

/** The server shows no more of a file. */
const MOST_BYTES = 1024 * 1024;

/** The text of a file of the working directory; none if it is longer than what is shown of one. */
export async function readFile(id: string, path: string, signal?: AbortSignal): Promise<string | undefined> {
  const text = await getText(inSession(id, "file") + query({ path }), signal);
  return new TextEncoder().encode(text).length < MOST_BYTES ? text : undefined;
}

export const folders = (path?: string): Promise<Folders> => get(`folders${query({ path })}`);

export const allowRoot = (path: string): Promise<void> => post("roots", { path });

export const transcripts = (): Promise<Transcript[]> => get("transcripts");

export const importTranscript = (id: string): Promise<{ session: string; added: number }> =>
  post(`transcripts/${encodeURIComponent(id)}/import`);

/** Dollars that were spent since the last midnight of whoever asks. */
export async function spentToday(): Promise<number> {
  const [from, utcOffsetMinutes] = [new Date().setHours(0, 0, 0, 0), -new Date().getTimezoneOffset()];
  const days = await get<Spent[]>(`usage${query({ by: "day", from, utcOffsetMinutes })}`);
  return days.reduce((sum, day) => sum + day.costUsd, 0);
}
