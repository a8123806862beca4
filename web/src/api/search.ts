// Search and usage over all sessions, and what a session would be started with: asked of the server by HTTP.

import type { TokenUsage } from "../generated";
import { get, post, query } from "./http";
import type { Options } from "./server";

/** What kind of words were found. A newer server may know more kinds. */
export type HitKind = "title" | "prompt" | "answer" | "command" | "path" | (string & {});

/** A place where something was found. */
export type Hit = {
  session: string;
  title?: string | null;
  kind: HitKind;
  /** The item of the conversation; a title has none. */
  item: string;
  /** The record that the words stand in. */
  seq: number;
  at: number;
  /** Some of the words, in pieces. */
  snippet: { text: string; found: boolean }[];
};

/** So many places are found at most. */
export const MOST_HITS = 500;

export const search = (text: string, signal: AbortSignal, limit = MOST_HITS): Promise<Hit[]> =>
  get(`search${query({ text, limit })}`, signal);

/** What one turn used. */
export type UsedTurn = {
  session: string;
  title?: string | null;
  number: number;
  startedAt: number;
  endedAt: number;
  outcome: string;
  prompt?: string | null;
  cwd?: string | null;
  costUsd: number;
  tokens: TokenUsage;
  models: { model: string; costUsd: number; tokens: TokenUsage }[];
};

/** Turns that ended since a moment, the last one first; `more` says that there were too many to tell of all. */
export const usedTurns = (
  from: number | undefined,
  signal: AbortSignal,
): Promise<{ turns: UsedTurn[]; more: boolean }> => get(`usage/turns${query({ from })}`, signal);

/** What would be run. */
export type CommandLine = { program: string; version: string; args: string[]; always: string[] };

/** The command line that these options make; nothing is started. */
export const commandLine = (options: Options, signal: AbortSignal): Promise<CommandLine> =>
  post("command-line", { options }, signal);
