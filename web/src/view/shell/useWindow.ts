// What the tab of the browser shows: how many sessions wait for somebody, which one is looked at, and an icon that says the
// same to who has many tabs.

import { useEffect } from "react";
import { useSessionList, useSessions } from "../../store/use";
import calm from "./icons/calm.svg?url";
import waitingIcon from "./icons/waiting.svg?url";

export function useWindow(id: string | undefined): void {
  const sessions = useSessions();
  const list = useSessionList();
  const waiting = list.filter((row) => sessions.group(row) === "needsYou").length;
  const title = (id !== undefined && sessions.title(id)) || "Quarterdeck";
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  }, [waiting, title]);
  const isWaiting = waiting > 0;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (link) link.href = isWaiting ? waitingIcon : calm;
  }, [isWaiting]);
}
