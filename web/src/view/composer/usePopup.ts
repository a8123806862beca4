// What `@` and `/` offer: text and caret in; options, the active one, and what choosing does out.

import { useEffect, useMemo, useState } from "react";
import { get, inSession, messageOf, query } from "../../api/http";
import { usePart, useSession } from "../../store/use";
import { allCommands, type Command, fitting, isCalled } from "./commands";
import { findTrigger, type Inserted, insertCommand, insertFile, mayFit, type Trigger } from "./trigger";

export type Option = { kind: "file"; path: string } | { kind: "command"; command: Command };

export type Popup = {
  options: readonly Option[];
  active: number;
  /** Why there are no options. */
  note: string | undefined;
  what: "Files" | "Commands" | "Folders";
  move: (by: 1 | -1) => void;
  point: (at: number) => void;
  /** The text with an option in it; none if the text says exactly that already. */
  chosen: (at: number) => Inserted | undefined;
  dismiss: () => void;
};

/** While one types, not every letter is worth a search. */
const PAUSE_MS = 60;
const MOST = 40;

type Found = { query: string; paths: readonly string[]; trouble?: string };

function useFiles(trigger: Trigger | undefined): Found | undefined {
  const { id } = useSession();
  const [found, setFound] = useState<Found>();
  const wanted = trigger?.kind === "file" ? trigger.query : undefined;
  useEffect(() => {
    if (wanted === undefined) return setFound(undefined);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      get<{ path: string }[]>(inSession(id, "files") + query({ text: wanted, limit: MOST }), stop.signal)
        .then((files) => setFound({ query: wanted, paths: files.map(({ path }) => path) }))
        .catch((cause: unknown) => {
          if (stop.signal.aborted) return;
          setFound({ query: wanted, paths: [], trouble: messageOf(cause) });
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, wanted]);
  return found;
}

export function usePopup(text: string, caret: number, hasFocus: boolean): Popup | undefined {
  const catalog = usePart("catalog");
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const trigger = hasFocus ? findTrigger(text, caret) : undefined;
  // One that was closed stays closed until another one is begun.
  const key = trigger && `${trigger.kind}:${trigger.from}`;
  const live = trigger && dismissed !== key ? trigger : undefined;
  const files = useFiles(live);
  const commands = useMemo(() => allCommands(catalog), [catalog]);
  const wanted = live?.kind === "command" ? live.query : undefined;
  const fit = useMemo(() => (wanted === undefined ? [] : fitting(commands, wanted)), [commands, wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins with its first answer.
  useEffect(() => setActive(0), [live?.kind, live?.query]);
  useEffect(() => {
    if (key === undefined) setDismissed(undefined);
  }, [key]);
  if (!live) return undefined;

  // Until the answer is there, what the last one has that may be in it: nobody is to choose what he no longer looks for.
  const isAnswered = files?.query === live.query;
  const paths = (files?.paths ?? []).filter((path) => isAnswered || mayFit(path, live.query));
  const options: readonly Option[] =
    live.kind === "command"
      ? fit.map((command) => ({ kind: "command", command }))
      : paths.map((path) => ({ kind: "file", path }));
  const isNone = isAnswered && options.length === 0;
  const note = live.kind === "file" ? (files?.trouble ?? (isNone ? "No file fits" : undefined)) : undefined;
  // Nothing is drawn before there is something to say. Commands are always there; a word with a slash in front may be just that.
  if (options.length === 0 && note === undefined) return undefined;
  const at = Math.min(active, Math.max(0, options.length - 1));
  return {
    options,
    active: at,
    note,
    what: live.kind === "file" ? "Files" : "Commands",
    move: (by) => setActive((at + by + options.length) % Math.max(1, options.length)),
    point: setActive,
    chosen: (number) => {
      const option = options[number];
      // By another of its names it is called as well: nothing is left to choose.
      if (!option || (option.kind === "command" && isCalled(option.command, text))) return undefined;
      const made =
        option.kind === "file" ? insertFile(text, live, option.path) : insertCommand(text, live, option.command.name);
      return made.text.trimEnd() === text.trimEnd() ? undefined : made;
    },
    dismiss: () => setDismissed(key),
  };
}
