// The frame: rail, list, and what is looked at; over it the dialog that starts a session, and what is said aloud.

import { useCallback, useRef } from "react";
import { useSessionList, useSessions } from "../store/use";
import { type Place, replacePlace, usePlace } from "./route";
import { SessionPage } from "./session/SessionPage";
import { Announcer } from "./shell/Announcer";
import { Boundary } from "./shell/Boundary";
import { Rail } from "./shell/Rail";
import { useRegions } from "./shell/regions";
import { SessionList } from "./shell/SessionList";
import { Strips } from "./shell/Strips";
import { Toasts } from "./shell/Toasts";
import { useFocusOnTurn } from "./shell/useFocusOnTurn";
import { useWindow } from "./shell/useWindow";
import { Welcome } from "./shell/Welcome";
import { NewSession } from "./start/NewSession";

type Behind = Exclude<Place, { page: "new" }>;

export function App() {
  const place = usePlace();
  const behind = useBehind(place);
  const sessions = useSessions();
  const list = useSessionList();
  useRegions();
  const current = behind.page === "session" ? behind.id : undefined;
  useWindow(current);
  useFocusOnTurn(behind);
  // So that Back does not open the dialog again.
  const close = useCallback(() => replacePlace(behind), [behind]);
  return (
    <div className="app">
      <Strips />
      {/* With nothing in the list yet, a phone shows what to do instead of it. */}
      <div className="shell" data-page={behind.page} data-first={sessions.isKnown() && list.length === 0}>
        <Rail />
        <SessionList current={current} />
        {behind.page === "session" ? (
          <Boundary key={behind.id}>
            <SessionPage id={behind.id} />
          </Boundary>
        ) : (
          <Welcome />
        )}
      </div>
      {place.page === "new" ? <NewSession tab={place.tab ?? "fresh"} onClose={close} /> : null}
      <Toasts />
      <Announcer />
    </div>
  );
}

/** What is seen behind the dialog: where the reader was before. */
function useBehind(place: Place): Behind {
  const last = useRef<Behind>({ page: "sessions" });
  if (place.page !== "new") last.current = place;
  return last.current;
}
