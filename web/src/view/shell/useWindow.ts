// What the tab of the browser shows: how many sessions wait for somebody, or that one has finished that nobody has looked at;
// which one is looked at; and an icon that says the same to who has many tabs.

import { useEffect } from "react";
import { useSessionList, useSessions } from "../../store/use";
import calm from "./icons/calm.svg?url";
import doneIcon from "./icons/done.svg?url";
import waitingIcon from "./icons/waiting.svg?url";

export function useWindow(id: string | undefined): void {
  const sessions = useSessions();
  const list = useSessionList();
  const waiting = list.filter((row) => sessions.group(row) === "needsYou").length;
  const hasDone = list.some((row) => sessions.group(row) === "unread" && !sessions.isArchived(row.id));
  // Who waits comes before who has finished.
  const news = waiting > 0 ? "waiting" : hasDone ? "done" : "calm";
  const title = (id !== undefined && sessions.title(id)) || "Quarterdeck";
  useEffect(() => {
    document.title = { waiting: `(${waiting}) ${title}`, done: `✓ ${title}`, calm: title }[news];
  }, [waiting, news, title]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (link) link.href = { waiting: waitingIcon, done: doneIcon, calm }[news];
  }, [news]);
}
