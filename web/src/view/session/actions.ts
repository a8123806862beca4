// What can be done with a session besides talking to it: the sessions and an id go in, a table of actions in their order comes
// out. The menus of the row and of the header are made from it; the command palette can be, too.

import { apiUrl, inSession } from "../../api/http";
import { changeOwn, closeAgent, forkSession, resumeSession } from "../../api/server";
import type { Sessions } from "../../store/sessions";
import type { IconName } from "../Icon";
import { go } from "../route";
import { enterComposer } from "../shell/regions";
import { offerUndo } from "../shell/toasts";
import { setTrouble, troubled } from "../shell/troubles";
import { askAbout, askAboutWriters } from "./asked";

export type SessionActionId =
  | "rename"
  | "read"
  | "unread"
  | "archive"
  | "unarchive"
  | "fork"
  | "resume"
  | "close"
  | "export"
  | "log"
  | "remove";

export type SessionAction = {
  id: SessionActionId;
  /** What stands together. */
  part: "own" | "agent" | "out" | "end";
  label: string;
  hint?: string;
  icon: IconName;
  danger?: boolean;
  run: () => void;
};

/** The actions that make sense for this session now. */
export function sessionActions(sessions: Sessions, id: string): SessionAction[] {
  const row = sessions.row(id);
  const title = sessions.title(id) ?? "New session";
  const isAsleep = row === undefined || row.phase === "asleep" || row.phase === "failed";
  const isUnread = row !== undefined && row.lastTurnSeq > sessions.seenSeq(id);
  return [
    { id: "rename", part: "own", label: "Rename", icon: "edit", run: () => askAbout({ kind: "rename", id }) },
    isUnread
      ? {
          id: "read",
          part: "own",
          label: "Mark as read",
          icon: "check",
          run: () => markRead(sessions, id, row.lastTurnSeq),
        }
      : { id: "unread", part: "own", label: "Mark as unread", icon: "circle", run: () => markUnread(sessions, id) },
    sessions.isArchived(id)
      ? {
          id: "unarchive",
          part: "own",
          label: "Take out of the archive",
          icon: "inbox",
          run: () => archive(sessions, id, title, false),
        }
      : { id: "archive", part: "own", label: "Archive", icon: "inbox", run: () => archive(sessions, id, title, true) },
    {
      id: "fork",
      part: "agent",
      label: "Fork",
      hint: "A new session that begins with all of this",
      icon: "branch",
      run: () => fork(id),
    },
    isAsleep
      ? { id: "resume", part: "agent", label: "Start its agent again", icon: "play", run: () => resume(id) }
      : {
          id: "close",
          part: "agent",
          label: "End its agent",
          hint: "The next message starts it again",
          icon: "stop",
          run: () => close(id),
        },
    {
      id: "export",
      part: "out",
      label: "Export as Markdown",
      icon: "file",
      run: () => download(id, "export", `${title}.md`),
    },
    {
      id: "log",
      part: "out",
      label: "Raw log",
      icon: "terminal",
      run: () => download(id, "records", `${title}.jsonl`),
    },
    {
      id: "remove",
      part: "end",
      label: "Delete …",
      icon: "x",
      danger: true,
      run: () => askAbout({ kind: "remove", id }),
    },
  ];
}

/** What it is called from now on; the list shows it before the server has it. */
export function rename(sessions: Sessions, id: string, title: string): void {
  sessions.say(id, { title: title || undefined }, changeOwn(id, { title })).catch(troubled("The title was not kept"));
}

function markRead(sessions: Sessions, id: string, seq: number): void {
  sessions.say(id, { seenSeq: seq }, changeOwn(id, { seenSeq: seq })).catch(troubled("It was not marked"));
}

function markUnread(sessions: Sessions, id: string): void {
  sessions.say(id, { seenSeq: 0 }, changeOwn(id, { unread: true })).catch(troubled("It was not marked"));
}

function archive(sessions: Sessions, id: string, title: string, archived: boolean): void {
  sessions.say(id, { archived }, changeOwn(id, { archived })).then(
    () => {
      if (archived) offerUndo(`Archived “${shortened(title)}”`, () => archive(sessions, id, title, false));
    },
    troubled(archived ? "It was not archived" : "It is still in the archive"),
  );
}

const shortened = (title: string): string => (title.length > 40 ? `${title.slice(0, 39)}…` : title);

function fork(id: string): void {
  forkSession(id).then(({ session }) => {
    enterComposer();
    go({ page: "session", id: session });
  }, troubled("It was not forked"));
}

/** Starts its agent again. When another program works on the conversation, the reader says what is to be done. */
export function resume(id: string): void {
  setTrouble(undefined);
  resumeSession(id).catch((cause: unknown) => {
    if (!askAboutWriters(id, cause)) troubled("The agent was not started")(cause);
  });
}

function close(id: string): void {
  closeAgent(id).catch(troubled("The agent was not ended"));
}

/** Lets the browser keep it as a file. */
function download(id: string, what: string, name: string): void {
  const link = document.createElement("a");
  link.href = apiUrl(inSession(id, what)).href;
  link.download = name.replace(/[/\\:*?"<>|\p{Cc}]+/gu, " ").trim();
  link.click();
}
