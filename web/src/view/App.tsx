// The frame: rail, list, and what is looked at.

import { useEffect } from "react";
import { useSessionList, useSessions } from "../store/use";
import { usePlace } from "./route";
import { SessionPage } from "./session/SessionPage";
import { Rail } from "./shell/Rail";
import { SessionList } from "./shell/SessionList";
import { Welcome } from "./shell/Welcome";

export function App() {
  const place = usePlace();
  useTitle(place.page === "session" ? place.id : undefined);
  return (
    <div className="shell" data-page={place.page}>
      <Rail />
      <SessionList current={place.page === "session" ? place.id : undefined} />
      {place.page === "session" ? (
        <SessionPage key={place.id} id={place.id} />
      ) : (
        <Welcome isNew={place.page === "new"} />
      )}
    </div>
  );
}

/** The title of the window says how many sessions wait for somebody. */
function useTitle(id: string | undefined): void {
  const sessions = useSessions();
  const list = useSessionList();
  const waiting = list.filter((row) => sessions.group(row) === "needsYou").length;
  const title = (id !== undefined && sessions.row(id)?.title) || "Quarterdeck";
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  }, [waiting, title]);
}
