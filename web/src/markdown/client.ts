// The page's side of the worker: components say which text they show and get its blocks, as soon and as often as those are known.

import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Block, Lines } from "./blocks";
import { languageNamed } from "./languages";
import type { FromWorker, ToWorker } from "./messages";
import workerUrl from "./worker.ts?worker&url";

/** So many texts that nobody looks at are kept as they were drawn, for when the reader scrolls back. */
const KEPT = 400;

type Entry = {
  /** What the worker has, and what it should have. */
  sent: string;
  wanted: string;
  isBusy: boolean;
  blocks: readonly Block[] | undefined;
  listeners: Set<() => void>;
};

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};

function start(): Worker {
  // The page may make scripts of nothing but this one address.
  const only = (url: string): string => {
    if (url !== workerUrl) throw new TypeError("not the worker");
    return url;
  };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const url = trustedTypes?.createPolicy("worker", { createScriptURL: only }).createScriptURL(workerUrl) ?? workerUrl;
  const made = new Worker(url, { type: "module" });
  made.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  return made;
}

let worker: Worker | undefined;

function say(message: ToWorker): void {
  worker ??= start();
  worker.postMessage(message);
}

const entries = new Map<string, Entry>();
const codes = new Map<string, (lines: Lines | undefined) => void>();

function hear(message: FromWorker): void {
  if (message.kind === "code") {
    codes.get(message.key)?.(message.lines);
    codes.delete(message.key);
    return;
  }
  const entry = entries.get(message.key);
  if (!entry) return;
  entry.blocks = [...(entry.blocks ?? []).slice(0, message.keep), ...message.blocks];
  entry.isBusy = false;
  send(message.key, entry);
  for (const listener of [...entry.listeners]) listener();
}

/** Sends what the worker lacks, unless it still works on what it has. */
function send(key: string, entry: Entry): void {
  if (entry.isBusy || entry.sent === entry.wanted) return;
  const keep = entry.wanted.startsWith(entry.sent) ? entry.sent.length : 0;
  say({ kind: "markdown", key, keep, text: entry.wanted.slice(keep) });
  entry.sent = entry.wanted;
  entry.isBusy = true;
}

function want(key: string, text: string): Entry {
  const entry = entries.get(key) ?? { sent: "", wanted: "", isBusy: false, blocks: undefined, listeners: new Set() };
  // The last one that was asked for is the last one to go.
  entries.delete(key);
  entries.set(key, entry);
  if (entry.wanted !== text) {
    entry.wanted = text;
    send(key, entry);
  }
  if (entries.size > KEPT) forgetOldest();
  return entry;
}

function forgetOldest(): void {
  for (const [key, entry] of entries) {
    if (entries.size <= KEPT) break;
    if (entry.listeners.size > 0) continue;
    entries.delete(key);
    say({ kind: "forget", key });
  }
}

/** The blocks of a text, as far as they are known; none before the worker has answered for the first time. */
export function useMarkdown(key: string, text: string): readonly Block[] | undefined {
  // Asked for before anything is drawn, so that the answer is there for the next frame. To ask twice does nothing.
  useMemo(() => want(key, text), [key, text]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const entry = want(key, text);
      entry.listeners.add(listener);
      return () => entry.listeners.delete(listener);
    },
    [key, text],
  );
  return useSyncExternalStore(subscribe, () => entries.get(key)?.blocks);
}

type Coloured = { lines: Lines | undefined; listeners: Set<() => void> };
const coloured = new Map<string, Coloured>();

/** Code in colours; none until they are known, or if there are none. */
export function useHighlight(text: string, language: string | undefined): Lines | undefined {
  const isWanted = language !== undefined && text !== "" && languageNamed(language) !== undefined;
  const key = isWanted ? `${language}:${text}` : "";
  const subscribe = useCallback(
    (listener: () => void) => {
      if (key === "" || language === undefined) return () => {};
      const entry = colour(key, text, language);
      entry.listeners.add(listener);
      return () => entry.listeners.delete(listener);
    },
    [key, text, language],
  );
  return useSyncExternalStore(subscribe, () => (key === "" ? undefined : coloured.get(key)?.lines));
}

let nextCode = 0;

function colour(key: string, text: string, language: string): Coloured {
  const known = coloured.get(key);
  if (known) return known;
  const entry: Coloured = { lines: undefined, listeners: new Set() };
  coloured.set(key, entry);
  const name = String(nextCode++);
  codes.set(name, (lines) => {
    entry.lines = lines;
    for (const listener of [...entry.listeners]) listener();
  });
  say({ kind: "code", key: name, text, language });
  for (const [old, { listeners }] of coloured) {
    if (coloured.size <= KEPT) break;
    if (listeners.size === 0 && old !== key) coloured.delete(old);
  }
  return entry;
}
