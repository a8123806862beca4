// Settings, help and keys, over the page (on a phone: in its place): which one is shown in, the way to the others beside it.

import { type ComponentType, useEffect, useMemo, useRef } from "react";
import { SessionContext, useSessions } from "../../store/use";
import { Icon, type IconName } from "../Icon";
import { type PanelName, placeHref, replacePlace } from "../route";
import { Dialog } from "../shell/Dialog";
import { Budgets } from "./Budgets";
import { Devices } from "./Devices";
import { Folders } from "./Folders";
import { Help } from "./Help";
import { Keys } from "./Keys";
import { Look } from "./Look";
import { Notifications } from "./Notifications";
import { Presets } from "./Presets";
import { SessionSettings } from "./SessionSettings";

type Part = { label: string; title: string; icon: IconName; Content: ComponentType; ofSession?: true };

const PARTS = {
  session: {
    label: "Session",
    title: "Settings of this session",
    icon: "settings",
    Content: SessionSettings,
    ofSession: true,
  },
  help: { label: "Help", title: "What this agent can do", icon: "ask", Content: Help, ofSession: true },
  keys: { label: "Keys", title: "Keys", icon: "slash", Content: Keys },
  look: { label: "Look", title: "Look", icon: "eye", Content: Look },
  notifications: { label: "Notifications", title: "Notifications", icon: "message", Content: Notifications },
  devices: { label: "Devices", title: "Devices", icon: "device", Content: Devices },
  folders: { label: "Folders", title: "Folders", icon: "folder", Content: Folders },
  presets: { label: "Presets", title: "Presets", icon: "play", Content: Presets },
  budgets: { label: "Budgets", title: "Budgets", icon: "usage", Content: Budgets },
} as const satisfies Record<PanelName, Part>;

const NAMES = Object.keys(PARTS) as PanelName[];

type Props = { panel: PanelName; session: string | undefined; onClose: () => void };

export function Panel({ panel, session, onClose }: Props) {
  const part: Part = PARTS[panel];
  const { Content } = part;
  return (
    <Dialog title={part.title} className="panel" onClose={onClose}>
      <div className="panel-in">
        <nav className="panel-nav" aria-label="Settings">
          {NAMES.map((name) => (
            <PanelLink key={name} name={name} session={session} isHere={name === panel} />
          ))}
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it also while nothing in it can be reached. */}
        {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form, and no region: those are in it. */}
        <div className="panel-body" role="group" key={panel} aria-label={part.label} tabIndex={0}>
          {part.ofSession ? (
            <OfSession session={session}>
              <Content />
            </OfSession>
          ) : (
            <Content />
          )}
        </div>
      </div>
    </Dialog>
  );
}

function PanelLink({ name, session, isHere }: { name: PanelName; session: string | undefined; isHere: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone they stand in a row that is longer than the screen.
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isHere]);
  const place = { page: "panel", panel: name, ...(session === undefined ? {} : { session }) } as const;
  return (
    <a
      ref={link}
      className="panel-link"
      href={placeHref(place)}
      aria-current={isHere ? "page" : undefined}
      data-autofocus={isHere ? "" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        // One step back leaves all of it.
        event.preventDefault();
        replacePlace(place);
      }}
    >
      <Icon name={PARTS[name].icon} />
      {PARTS[name].label}
    </a>
  );
}

/** With the session that stands behind it; without one, there is nothing to tell. */
function OfSession({ session, children }: { session: string | undefined; children: React.ReactNode }) {
  const sessions = useSessions();
  const store = useMemo(() => (session === undefined ? undefined : sessions.store(session)), [sessions, session]);
  if (store === undefined) {
    return <p className="empty">This is told by the agent of a session. Open a session first, then come back here.</p>;
  }
  return <SessionContext value={store}>{children}</SessionContext>;
}
