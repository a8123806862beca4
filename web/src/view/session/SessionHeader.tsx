// What is so, always in view: title, where it works, model, mode, context, cost, connection. Each number opens what is behind
// it.

import { useKnown, usePart, useSession, useSessionList, useSessions, useWatchers } from "../../store/use";
import { Icon } from "../Icon";
import { useKept } from "../inspector/kept";
import { closeInspector, openTab, useShownTab } from "../inspector/shown";
import { openPalette } from "../palette/open";
import { go, type PanelName, placeHref } from "../route";
import { ConnectionMark } from "../shell/ConnectionMark";
import type { MenuEntry } from "../shell/Menu";
import { SessionMenu } from "../shell/SessionMenu";
import { TitleField } from "../shell/TitleField";
import { useNaming } from "../shell/useNaming";
import { counted, lastPart } from "../words";
import { rename } from "./actions";
import { Branch } from "./header/Branch";
import { ContextMeter } from "./header/Context";
import { CostMeter } from "./header/Cost";
import { Details } from "./header/Details";
import { Limits } from "./header/Limits";
import { ModelSwitch, ModeSwitch } from "./header/Switches";

export function SessionHeader() {
  const { id } = useSession();
  const { cwd, title: agentTitle } = usePart("status");
  const sessions = useSessions();
  useSessionList();
  const isKnown = useKnown();
  const { isNaming, begin, leave, back } = useNaming<HTMLButtonElement>();
  const title = sessions.title(id) ?? agentTitle ?? "New session";
  return (
    <header className="head">
      <a className="ibtn back" href={placeHref({ page: "sessions" })} aria-label="Back to the sessions">
        <Icon name="left" />
      </a>
      <div className="head-in">
        <div className="head-row">
          {isNaming ? (
            <TitleField title={title} onKeep={(text) => rename(sessions, id, text)} onLeave={leave} />
          ) : (
            <h1 className="cut">
              <button ref={back} type="button" className="title-button cut" title="Rename" onClick={begin}>
                {title}
              </button>
            </h1>
          )}
          <span className="grow" />
          <Watchers />
          <ConnectionMark />
        </div>
        <div className="head-row sub">
          <span className="phone-conn">
            <ConnectionMark />
          </span>
          {cwd === undefined ? null : (
            <span className="where" title={cwd}>
              <Icon name="folder" />
              <span className="cut">{lastPart(cwd)}</span>
            </span>
          )}
          <Branch />
          {/* What is not known yet is not guessed. */}
          {isKnown ? (
            <>
              <ModelSwitch />
              <ModeSwitch />
              <span className="grow" />
              <Details />
              <ContextMeter />
              <CostMeter />
              <Limits />
            </>
          ) : null}
        </div>
      </div>
      <InspectorToggle />
      <SessionMenu id={id} className="ibtn" first={panelEntries(id)} onRename={begin} />
    </header>
  );
}

/** The ways to what can be told and set of a session. */
function panelEntries(session: string): MenuEntry[] {
  const open = (panel: PanelName) => () => go({ page: "panel", panel, session });
  return [
    { label: "Settings", icon: "settings", choose: open("session") },
    { label: "What this agent can do", icon: "ask", choose: open("help") },
    { label: "Commands", icon: "slash", choose: () => openPalette() },
  ];
}

function InspectorToggle() {
  const { id } = useSession();
  const { tab } = useKept();
  const isOpen = useShownTab() !== undefined;
  const words = isOpen ? "Close inspector" : "Open inspector";
  return (
    <button
      id="inspector-toggle"
      type="button"
      className="ibtn"
      aria-label={words}
      title={words}
      aria-expanded={isOpen}
      onClick={() => (isOpen ? closeInspector(id) : openTab(id, tab))}
    >
      <Icon name="panel" />
    </button>
  );
}

function Watchers() {
  const watchers = useWatchers();
  const words = `${counted(watchers, "screen")} watch this session`;
  return watchers < 2 ? null : (
    <span className="conn watchers" title={words}>
      <Icon name="eye" label={words} />
      {watchers}
    </span>
  );
}
