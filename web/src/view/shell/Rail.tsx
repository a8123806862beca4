// The way to everything, at the left edge; at the bottom of a phone.

import { useSessionList, useSessions } from "../../store/use";
import { Icon, type IconName, Mark } from "../Icon";
import { type Place, placeHref, usePlace } from "../route";
import { useLook } from "./look";
import { lookSections } from "./lookMenu";
import { Menu } from "./Menu";

export function Rail() {
  const sessions = useSessions();
  const list = useSessionList();
  const look = useLook();
  const waiting = list.filter((row) => sessions.group(row) === "needsYou").length;
  return (
    <nav className="rail" aria-label="Main">
      <Mark />
      <RailItem place={{ page: "sessions" }} icon="sessions" label="Sessions" waiting={waiting} />
      <RailItem place={{ page: "new" }} icon="plus" label="New" />
      <div className="rail-end">
        <Menu
          label="Look of the page"
          className="rail-item"
          button={
            <>
              <Icon name="settings" />
              Look
            </>
          }
          sections={lookSections(look)}
        />
      </div>
    </nav>
  );
}

function RailItem({ place, icon, label, waiting }: { place: Place; icon: IconName; label: string; waiting?: number }) {
  const here = usePlace();
  const isHere = here.page === place.page || (place.page === "sessions" && here.page === "session");
  return (
    <a className="rail-item" href={placeHref(place)} aria-current={isHere ? "page" : undefined}>
      <Icon name={icon} />
      {label}
      {waiting ? (
        <span className="badge">
          {waiting}
          <span className="vh"> need you</span>
        </span>
      ) : null}
    </a>
  );
}
