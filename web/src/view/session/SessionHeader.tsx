// What is so, always in view: title, where it works, model, mode, context, cost, connection. Each number opens what is behind
// it.

import { useKnown, usePart, useSession, useSessionList, useSessions, useWatchers } from "../../store/use";
import { Icon } from "../Icon";
import { placeHref } from "../route";
import { ConnectionMark } from "../shell/ConnectionMark";
import { rename, SessionMenu } from "../shell/SessionMenu";
import { TitleField } from "../shell/TitleField";
import { useNaming } from "../shell/useNaming";
import { counted, lastPart } from "../words";
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
          {/* What is not known yet is not guessed. */}
          {isKnown ? (
            <>
              <ModelSwitch />
              <ModeSwitch />
              <span className="grow" />
              <Details />
              <Limits />
              <ContextMeter />
              <CostMeter />
            </>
          ) : null}
        </div>
      </div>
      <SessionMenu id={id} className="ibtn" onRename={begin} />
    </header>
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
