// What can be done with a session besides talking to it: the menu of its row and of its header.

import { type ReactNode, useState } from "react";
import { ApiError, apiUrl, inSession } from "../../api/http";
import { changeOwn, closeAgent, forkSession, removeSession } from "../../api/server";
import type { Sessions } from "../../store/sessions";
import { useSessionList, useSessions } from "../../store/use";
import { Icon } from "../Icon";
import { go, readPlace } from "../route";
import { Confirm } from "./Dialog";
import { Menu, type MenuEntry, type MenuHandle, type MenuSection } from "./Menu";
import { offerUndo } from "./toasts";
import { troubled } from "./troubles";
import { useAction } from "./useAction";
import { wake } from "./wake";

type Props = {
  id: string;
  className: string;
  isTabStop?: boolean;
  handle?: React.Ref<MenuHandle>;
  /** Entries that stand before the common ones. */
  first?: readonly MenuEntry[];
  onRename: () => void;
};

export function SessionMenu({ id, className, isTabStop, handle, first, onRename }: Props): ReactNode {
  const sessions = useSessions();
  useSessionList();
  const [isRemoving, setRemoving] = useState(false);
  const title = sessions.title(id) ?? "New session";
  return (
    <>
      <Menu
        label={`Actions for ${title}`}
        title="More"
        isIcon
        className={className}
        button={<Icon name="more" />}
        {...(isTabStop === undefined ? {} : { isTabStop })}
        {...(handle === undefined ? {} : { handle })}
        sections={sectionsOf(sessions, id, title, { first: first ?? [], onRename, onRemove: () => setRemoving(true) })}
      />
      {isRemoving ? <Remove id={id} title={title} onClose={() => setRemoving(false)} /> : null}
    </>
  );
}

type Ways = { first: readonly MenuEntry[]; onRename: () => void; onRemove: () => void };

function sectionsOf(sessions: Sessions, id: string, title: string, ways: Ways): MenuSection[] {
  const row = sessions.row(id);
  const isAsleep = row === undefined || row.phase === "asleep" || row.phase === "failed";
  const isArchived = sessions.isArchived(id);
  const isUnread = row !== undefined && row.lastTurnSeq > sessions.seenSeq(id);
  const own: MenuEntry[] = [
    { label: "Rename", icon: "edit", choose: ways.onRename },
    isUnread
      ? { label: "Mark as read", icon: "check", choose: () => markRead(sessions, id, row.lastTurnSeq) }
      : { label: "Mark as unread", icon: "circle", choose: () => markUnread(sessions, id) },
    isArchived
      ? { label: "Take out of the archive", icon: "inbox", choose: () => archive(sessions, id, title, false) }
      : { label: "Archive", icon: "inbox", choose: () => archive(sessions, id, title, true) },
  ];
  const agent: MenuEntry[] = [
    { label: "Fork", icon: "branch", hint: "A new session that begins with all of this", choose: () => fork(id) },
    isAsleep
      ? { label: "Start its agent again", icon: "play", choose: () => wake(id) }
      : { label: "End its agent", icon: "stop", hint: "The next message starts it again", choose: () => end(id) },
  ];
  const out: MenuEntry[] = [
    { label: "Export as Markdown", icon: "file", choose: () => download(id, "export", `${title}.md`) },
    { label: "Raw log", icon: "terminal", choose: () => download(id, "records", `${title}.jsonl`) },
  ];
  const remove: MenuEntry = { label: "Delete …", icon: "x", danger: true, choose: ways.onRemove };
  const parts = [ways.first, own, agent, out, [remove]];
  return parts.filter((entries) => entries.length > 0).map((entries) => ({ entries }));
}

/** What it is called from now on; the list shows it before the server has it. */
export function rename(sessions: Sessions, id: string, title: string): void {
  const before = sessions.title(id);
  sessions.setTitle(id, title === "" ? undefined : title);
  changeOwn(id, { title }).catch((cause: unknown) => {
    sessions.setTitle(id, before);
    troubled("The title was not kept")(cause);
  });
}

function markRead(sessions: Sessions, id: string, seq: number): void {
  sessions.markSeen(id, seq);
  changeOwn(id, { seenSeq: seq }).catch(troubled("It was not marked"));
}

function markUnread(sessions: Sessions, id: string): void {
  sessions.markUnread(id);
  changeOwn(id, { unread: true }).catch(troubled("It was not marked"));
}

function archive(sessions: Sessions, id: string, title: string, archived: boolean): void {
  sessions.setArchived(id, archived);
  changeOwn(id, { archived }).then(
    () => {
      if (archived) offerUndo(`Archived “${shortened(title)}”`, () => archive(sessions, id, title, false));
    },
    (cause: unknown) => {
      sessions.setArchived(id, !archived);
      troubled(archived ? "It was not archived" : "It is still in the archive")(cause);
    },
  );
}

const shortened = (title: string): string => (title.length > 40 ? `${title.slice(0, 39)}…` : title);

function fork(id: string): void {
  forkSession(id).then(({ session }) => go({ page: "session", id: session }), troubled("It was not forked"));
}

function end(id: string): void {
  closeAgent(id).catch(troubled("The agent was not ended"));
}

/** Lets the browser keep it as a file. */
function download(id: string, what: string, name: string): void {
  const link = document.createElement("a");
  link.href = apiUrl(inSession(id, what)).href;
  link.download = name.replace(/[/\\:*?"<>|\p{Cc}]+/gu, " ").trim();
  link.click();
}

/** One whose agent runs cannot be removed: that is ended first, which takes a moment. */
async function removeForGood(id: string): Promise<void> {
  const isRunning = (cause: unknown) => cause instanceof ApiError && cause.code === "running";
  for (let tries = 0; tries < 12; tries += 1) {
    try {
      return await removeSession(id);
    } catch (cause) {
      if (!isRunning(cause)) throw cause;
    }
    if (tries === 0) await closeAgent(id);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return removeSession(id);
}

function Remove({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const sessions = useSessions();
  const { run, isBusy, error } = useAction();
  const phase = sessions.row(id)?.phase;
  const isAsleep = phase === undefined || phase === "asleep" || phase === "failed";
  const remove = () =>
    run(
      () => removeForGood(id),
      () => {
        onClose();
        const here = readPlace(location.hash);
        if (here.page === "session" && here.id === id) go({ page: "sessions" });
        sessions.forget(id);
      },
    );
  return (
    <Confirm
      title="Delete this session?"
      text={`${isAsleep ? "" : "Its agent is ended. "}“${title}” and its log are removed for good. Files that the agent changed stay as they are, and so does the CLI’s own transcript.`}
      verb="Delete session"
      doing="Deleting"
      isBusy={isBusy}
      error={error}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
