// The frame: rail, list, and what is looked at; over it the dialog that starts a session, the panels, the palette, and what is said
// aloud.

import { type ReactNode, Suspense, useCallback, useRef } from "react";
import { useSessionList, useSessions } from "../store/use";
import { useDeed, useKeyboard } from "./keys/deeds";
import { lazily } from "./lazily";
import { closePalette, openPalette, usePalette } from "./palette/open";
import { go, type Place, replacePlace, usePlace } from "./route";
import { askAbout, useAsked } from "./session/asked";
import { SessionPage } from "./session/SessionPage";
import { Announcer } from "./shell/Announcer";
import { Boundary, failedPage } from "./shell/Boundary";
import { Dialog } from "./shell/Dialog";
import { useNoStrayDrops } from "./shell/drops";
import { Leaving } from "./shell/Leaving";
import { Rail } from "./shell/Rail";
import { useRegions } from "./shell/regions";
import { SessionList } from "./shell/SessionList";
import { Strips } from "./shell/Strips";
import { Toasts } from "./shell/Toasts";
import { useFocusOnTurn } from "./shell/useFocusOnTurn";
import { useWindow } from "./shell/useWindow";
import { Welcome } from "./shell/Welcome";

// Loaded when somebody goes there, so that the first session is there sooner.
const NewSession = lazily(() => import("./start/NewSession").then((part) => part.default));
const InboxPage = lazily(() => import("./inbox/InboxPage").then((part) => part.default));
const SearchPage = lazily(() => import("./search/SearchPage").then((part) => part.default));
const UsagePage = lazily(() => import("./usage/UsagePage").then((part) => part.default));
const SessionDialogs = lazily(() => import("./session/dialogs/SessionDialogs").then((part) => part.default));
const Panel = lazily(() => import("./panel/Panel").then(({ Panel }) => Panel));
const Palette = lazily(() => import("./palette/Palette").then(({ Palette }) => Palette));

type Behind = Exclude<Place, { page: "new" | "panel" }>;

export function App() {
  const place = usePlace();
  const behind = useBehind(place);
  const sessions = useSessions();
  const list = useSessionList();
  const palette = usePalette();
  const current = behind.page === "session" ? behind.id : undefined;
  const isList = behind.page === "session" || behind.page === "sessions";
  const asked = useAsked();
  useKeyboard();
  useRegions();
  useNoStrayDrops();
  useFrameDeeds(current);
  useWindow(current);
  useFocusOnTurn(behind);
  // So that Back does not open the dialog again.
  const close = useCallback(() => replacePlace(behind), [behind]);
  const failedDialog = (error: Error, waysOut: ReactNode) => (
    <Dialog title="This part of the page failed" className="confirm" onClose={() => leaveAll(behind)}>
      <div className="dialog-body">
        <p>The sessions themselves go on, and what you were writing is still there.</p>
        <pre className="argv">{error.message}</pre>
        {waysOut}
      </div>
    </Dialog>
  );
  return (
    <div className="app">
      <Strips />
      {/* With nothing in the list yet, a phone shows what to do instead of it. */}
      <div className="shell" data-page={behind.page} data-first={sessions.isKnown() && list.length === 0}>
        <Rail current={current} />
        {isList ? <SessionList current={current} /> : null}
        <Boundary key={current ?? behind.page} draw={failedPage}>
          <Suspense fallback={<main className="main" aria-busy="true" />}>
            <Page place={behind} />
          </Suspense>
        </Boundary>
      </div>
      <Boundary draw={failedDialog} of={[place, asked, palette]}>
        <Suspense>
          {place.page === "new" ? <NewSession tab={place.tab ?? "fresh"} onClose={close} /> : null}
          {asked === undefined ? null : <SessionDialogs asked={asked} />}
          {place.page === "panel" ? <Panel panel={place.panel} session={current} onClose={close} /> : null}
          {palette === undefined ? null : <Palette start={palette} session={current} />}
        </Suspense>
      </Boundary>
      <Leaving />
      <Toasts />
      <Announcer current={current} />
    </div>
  );
}

/** Closes whatever stands over the page. */
function leaveAll(behind: Behind): void {
  askAbout(undefined);
  closePalette();
  replacePlace(behind);
}

function Page({ place }: { place: Behind }) {
  switch (place.page) {
    case "session":
      return <SessionPage place={place} />;
    case "inbox":
      return <InboxPage />;
    case "search":
      return <SearchPage text={place.text ?? ""} />;
    case "usage":
      return <UsagePage />;
    case "sessions":
      return <Welcome />;
    default:
      return place satisfies never;
  }
}

/** What is seen behind the dialog: the session that it is about, or where the reader was before. */
function useBehind(place: Place): Behind {
  const last = useRef<Behind>({ page: "sessions" });
  if (place.page === "panel") {
    const { session } = place;
    const isThere = session === undefined || (last.current.page === "session" && last.current.id === session);
    if (!isThere) last.current = { page: "session", id: session };
  } else if (place.page !== "new") {
    last.current = place;
  }
  return last.current;
}

/** What can be done wherever one is. */
function useFrameDeeds(session: string | undefined): void {
  const own = session === undefined ? {} : { session };
  useDeed("palette", () => openPalette());
  useDeed("settings", () => go({ page: "panel", panel: session === undefined ? "look" : "session", ...own }));
  useDeed("keys", () => go({ page: "panel", panel: "keys", ...own }));
  useDeed("help", () => go({ page: "panel", panel: "help", ...own }));
  useDeed("newSession", () => go({ page: "new" }));
}
