// Gathers what the palette offers here and now.

import { useMemo } from "react";
import type { Row } from "../../api/frames";
import type { Sessions } from "../../store/sessions";
import { useSessionList, useSessions } from "../../store/use";
import { callOurs } from "../composer/callOurs";
import { allCommands, ourCommand } from "../composer/commands";
import { deskOf } from "../composer/desk";
import type { IconName } from "../Icon";
import { openTab } from "../inspector/shown";
import type { Tab } from "../inspector/tabs";
import { ACTIONS, type ActionId } from "../keys/actions";
import { act, doable } from "../keys/deeds";
import { go, type PanelName } from "../route";
import { sessionActions } from "../session/actions";
import { setTrouble } from "../shell/troubles";
import { type Entry, sessionEntry } from "./entries";

const PANEL_WORDS: Record<PanelName, { label: string; also: string; icon: IconName; ofSession?: true }> = {
  session: {
    label: "Settings of this session",
    also: "model effort thinking fast mode permissions config bypass plan",
    icon: "settings",
    ofSession: true,
  },
  help: {
    label: "What this agent can do",
    also: "help tools skills agents plugins version",
    icon: "ask",
    ofSession: true,
  },
  keys: { label: "Keys", also: "shortcuts keyboard keybindings", icon: "slash" },
  look: { label: "Look", also: "theme dark light density compact", icon: "eye" },
  notifications: { label: "Notifications", also: "sound needs you finished", icon: "message" },
  devices: { label: "Devices", also: "pair phone login link log out", icon: "device" },
  folders: { label: "Folders for agents", also: "roots allowed directories", icon: "folder" },
  presets: { label: "Presets", also: "launch options", icon: "play" },
  budgets: { label: "Budgets", also: "money cost cap limit", icon: "usage" },
};

/** The tabs of the inspector. */
const TAB_ENTRIES: readonly [tab: Tab, label: string, icon: IconName][] = [
  ["tasks", "Tasks and background jobs", "okring"],
  ["context", "Context", "usage"],
  ["cost", "Cost", "usage"],
  ["mcp", "MCP servers", "link"],
  ["files", "Changed files", "file"],
  ["rules", "Permission rules", "shield"],
  ["raw", "Raw records", "raw"],
];

const ACTION_ICONS: Partial<Record<ActionId, IconName>> = {
  newSession: "plus",
  stopTurn: "stop",
  clearView: "up",
  find: "search",
  nextSession: "down",
  previousSession: "up",
  write: "edit",
  nextMode: "shield",
};

const PAGES: readonly Entry[] = [
  {
    id: "page:inbox",
    kind: "Page",
    label: "Inbox",
    also: "needs you",
    icon: "inbox",
    run: () => go({ page: "inbox" }),
  },
  { id: "page:sessions", kind: "Page", label: "Sessions", icon: "sessions", run: () => go({ page: "sessions" }) },
  {
    id: "page:search",
    kind: "Page",
    label: "Search",
    also: "find text",
    icon: "search",
    run: () => go({ page: "search" }),
  },
  {
    id: "page:usage",
    kind: "Page",
    label: "Usage",
    also: "cost spent",
    icon: "usage",
    run: () => go({ page: "usage" }),
  },
];

/** What has an entry of its own, is the palette itself, or means nothing from there. */
const NOT_HERE: readonly ActionId[] = ["palette", "settings", "keys", "help", "nextRegion", "previousRegion"];

export function useEntries(session: string | undefined): Entry[] {
  const sessions = useSessions();
  const list = useSessionList();
  return useMemo(() => {
    const own = session === undefined ? {} : { session };
    const actions = doable()
      .filter((action) => !NOT_HERE.includes(action))
      .map(
        (action): Entry => ({
          id: `action:${action}`,
          kind: "Action",
          label: ACTIONS[action].words,
          icon: ACTION_ICONS[action] ?? "right",
          action,
          run: () => act(action),
        }),
      );
    const panels = (Object.keys(PANEL_WORDS) as PanelName[])
      .filter((panel) => session !== undefined || !PANEL_WORDS[panel].ofSession)
      .map((panel): Entry => {
        const { label, also, icon } = PANEL_WORDS[panel];
        const run = () => go({ page: "panel", panel, ...own });
        return { id: `panel:${panel}`, kind: "Settings", label, also: `settings ${also}`, icon, run };
      });
    const rows = list
      .filter((row) => row.id !== session && !sessions.isArchived(row.id))
      .sort(byUrgency(sessions))
      .map((row) => {
        const title = sessions.title(row.id) ?? "New session";
        const kind = sessions.askKind(row);
        const isPermission = kind === "permission" || kind === "plan";
        return sessionEntry(row, title, sessions.group(row), isPermission, () => go({ page: "session", id: row.id }));
      });
    const ofSession =
      session === undefined ? [] : [...deedEntries(session), ...tabEntries(session), ...commandEntries(session)];
    return [...actions, ...PAGES, ...panels, ...rows, ...ofSession];

    function deedEntries(id: string): Entry[] {
      return sessionActions(sessions, id).map(({ id: name, label, hint, icon, run }) => ({
        id: `deed:${name}`,
        kind: "Action",
        label,
        detail: hint ?? "This session",
        icon,
        run,
      }));
    }

    function commandEntries(id: string): Entry[] {
      const catalog = sessions.store(id).part("catalog");
      return allCommands(catalog)
        .filter(({ name }) => !name.startsWith("_"))
        .map((command) => {
          const ours = ourCommand(`/${command.name}`, catalog);
          return {
            id: `command:${command.name}`,
            kind: "Command",
            label: `/${command.name}`,
            detail: command.description,
            also: command.aliases.join(" "),
            icon: "slash",
            run: () => {
              if (ours === undefined) return writeCommand(id, command.name);
              void callOurs(ours, id).then((words) => words !== undefined && setTrouble({ text: words }));
            },
          };
        });
    }
  }, [sessions, list, session]);
}

/** Who has waited longest comes first; of the others, what happened last. */
function byUrgency(sessions: Sessions): (a: Row, b: Row) => number {
  const waits = (row: Row) => sessions.group(row) === "needsYou";
  return (a, b) => Number(waits(b)) - Number(waits(a)) || (waits(a) ? a.since - b.since : b.since - a.since);
}

function tabEntries(session: string): Entry[] {
  return TAB_ENTRIES.map(([tab, label, icon]) => ({
    id: `tab:${tab}`,
    kind: "Panel",
    label,
    also: "inspector",
    icon,
    run: () => openTab(session, tab),
  }));
}

/** Stands where one writes: what follows it, and whether it is sent, is for who calls it. */
function writeCommand(session: string, name: string): void {
  deskOf(session).callCommand(name);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".dock textarea.text")?.focus());
}
