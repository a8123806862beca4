// The way to everything, at the left edge; at the bottom of a phone.

import { useSessionList, useSessions } from "../../store/use";
import { Icon, type IconName, Mark } from "../Icon";
import { type Place, placeHref, usePlace } from "../route";

export function Rail({ current }: { current: string | undefined }) {
  const sessions = useSessions();
  const list = useSessionList();
  const waiting = list.filter((row) => sessions.group(row) === "needsYou").length;
  const own = current === undefined ? {} : { session: current };
  return (
    <nav className="rail" aria-label="Main">
      <Mark />
      <RailItem place={{ page: "inbox" }} icon="inbox" label="Inbox" waiting={waiting} />
      <RailItem place={{ page: "sessions" }} icon="sessions" label="Sessions" />
      <RailItem place={{ page: "search" }} icon="search" label="Search" only="wide" />
      <RailItem place={{ page: "usage" }} icon="usage" label="Usage" only="wide" />
      <RailItem place={{ page: "new" }} icon="plus" label="New" only="phone" />
      <div className="rail-end">
        <RailItem place={{ page: "panel", panel: "devices", ...own }} icon="device" label="Pair" />
        <RailItem
          place={{ page: "panel", panel: current === undefined ? "look" : "session", ...own }}
          icon="settings"
          label="Settings"
        />
      </div>
    </nav>
  );
}

type ItemProps = { place: Place; icon: IconName; label: string; waiting?: number; only?: "wide" | "phone" };

function RailItem({ place, icon, label, waiting, only }: ItemProps) {
  const here = usePlace();
  const isHere = here.page === place.page || (place.page === "sessions" && here.page === "session");
  return (
    <a
      className={only === undefined ? "rail-item" : `rail-item ${only}-only`}
      href={placeHref(place)}
      aria-current={isHere && place.page !== "panel" ? "page" : undefined}
    >
      <Icon name={icon} />
      {label}
      {waiting ? (
        <span className="badge">
          {waiting}
          <span className="vh"> {waiting === 1 ? "needs" : "need"} you</span>
        </span>
      ) : null}
    </a>
  );
}
