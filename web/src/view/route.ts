// Where the reader is: in the part of the address that the server never sees.

import { useMemo, useSyncExternalStore } from "react";
import { TABS, type Tab } from "./inspector/tabs";

/** What opens over the page: of the session that is looked at, or of Quarterdeck. */
const PANELS = [
  "session",
  "help",
  "keys",
  "look",
  "notifications",
  "devices",
  "folders",
  "presets",
  "budgets",
] as const;
export type PanelName = (typeof PANELS)[number];

export type Place =
  | { page: "sessions" }
  /** With what is inspected, and where in that: a file, a record. `item` is what the reader comes for, where that is not the end. */
  | { page: "session"; id: string; item?: string; tab?: Tab; at?: string }
  | { page: "inbox" }
  | { page: "search"; text?: string }
  | { page: "usage" }
  /** The dialog to start one; a fresh one if it does not say. */
  | { page: "new"; tab?: "resume" | "fork" }
  /** Settings, help and keys; over a session if it names one. */
  | { page: "panel"; panel: PanelName; session?: string };

export function readPlace(hash: string): Place {
  const [first, second, third, fourth] = hash.replace(/^#\/?/, "").split("/");
  switch (first) {
    case "s": {
      if (!second) return { page: "sessions" };
      const id = decoded(second);
      const session = { page: "session", id } as const;
      if (third === "at" && fourth) return { ...session, item: decoded(fourth) };
      const tab = TABS.find((known) => known === third);
      if (tab !== undefined) return { ...session, tab, ...(fourth ? { at: decoded(fourth) } : {}) };
      return readPanel(third, fourth, id) ?? session;
    }
    case "inbox":
    case "usage":
      return { page: first };
    case "search":
      return second ? { page: "search", text: decoded(second) } : { page: "search" };
    case "new":
      return second === "resume" || second === "fork" ? { page: "new", tab: second } : { page: "new" };
    default:
      return readPanel(first, second, undefined) ?? { page: "sessions" };
  }
}

function readPanel(first: string | undefined, second: string | undefined, session?: string): Place | undefined {
  const own = session === undefined ? {} : { session };
  if (first === "help" || first === "keys") return { page: "panel", panel: first, ...own };
  if (first !== "settings") return undefined;
  const named = PANELS.find((panel) => panel === second);
  return { page: "panel", panel: named ?? (session === undefined ? "look" : "session"), ...own };
}

/** An address that somebody typed can be anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function placeHref(place: Place): string {
  switch (place.page) {
    case "session":
      return [
        "#/s",
        encodeURIComponent(place.id),
        ...(place.item === undefined ? [] : ["at", encodeURIComponent(place.item)]),
        ...(place.tab === undefined ? [] : [place.tab, ...(place.at ? [encodeURIComponent(place.at)] : [])]),
      ].join("/");
    case "inbox":
    case "usage":
      return `#/${place.page}`;
    case "search":
      return place.text === undefined ? "#/search" : `#/search/${encodeURIComponent(place.text)}`;
    case "new":
      return place.tab === undefined ? "#/new" : `#/new/${place.tab}`;
    case "sessions":
      return "#/";
    case "panel":
      return `${place.session === undefined ? "#" : `#/s/${encodeURIComponent(place.session)}`}/${panelPath(place.panel)}`;
    default:
      return place satisfies never;
  }
}

function panelPath(panel: PanelName): string {
  switch (panel) {
    case "session":
      return "settings";
    case "help":
    case "keys":
      return panel;
    default:
      return `settings/${panel}`;
  }
}

const listeners = new Set<() => void>();

/** The page follows at once. The browser's own event comes a moment later, and a key pressed until then would go to what is left. */
function follow(): void {
  for (const listener of listeners) listener();
}

export function go(place: Place): void {
  location.hash = placeHref(place);
  follow();
}

/** Goes there so that Back does not lead here again. */
export function replacePlace(place: Place): void {
  location.replace(placeHref(place));
  follow();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  addEventListener("hashchange", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("hashchange", listener);
  };
};

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => readPlace(hash), [hash]);
}
