// What is so, always in view: title, where it works, model, mode, context, cost, connection. Each number opens what is behind
// it.

import { useState } from "react";
import { usePart, useSession, useSessionList, useSessions, useWatchers } from "../../store/use";
import { Icon } from "../Icon";
import { placeHref } from "../route";
import { ConnectionMark } from "../shell/ConnectionMark";
import { rename, SessionMenu } from "../shell/SessionMenu";
import { TitleField } from "../shell/TitleField";
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
  const [isNaming, setNaming] = useState(false);
  const title = sessions.title(id) ?? agentTitle ?? "New session";
  return (
    <header className="head">
      <a className="ibtn back" href={placeHref({ page: "sessions" })} aria-label="Back to the sessions">
        <Icon name="left" />
      </a>
      <div className="head-in">
        <div className="head-row">
          {isNaming ? (
            <TitleField title={title} onKeep={(text) => rename(sessions, id, text)} onLeave={() => setNaming(false)} />
          ) : (
            <h1 className="cut">
              <button type="button" className="title-button cut" title="Rename" onClick={() => setNaming(true)}>
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
          <ModelSwitch />
          <ModeSwitch />
          <span className="grow" />
          <Details />
          <Limits />
          <ContextMeter />
          <CostMeter />
        </div>
      </div>
      <SessionMenu id={id} className="ibtn" onRename={() => setNaming(true)} />
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
