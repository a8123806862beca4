// What stands where no session is looked at: what needs somebody, or how to begin.

import type { About } from "../../api/server";
import { useSessionList, useSessions } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { Caps } from "../keys/Caps";
import { placeHref } from "../route";
import { useAbout } from "../useAbout";
import { Words } from "../Words";
import { counted } from "../words";
import { CopyLine } from "./CopyLine";

export function Welcome() {
  const sessions = useSessions();
  const list = useSessionList();
  const asked = useAbout();
  const problem = asked.about?.agent?.problem;
  const isKnown = sessions.isKnown();
  return (
    <main className="main">
      <div className="first">
        <div className="first-in">
          {problem && asked.about ? (
            <Missing about={asked.about} isAsking={asked.isAsking} again={asked.again} />
          ) : null}
          {!problem && isKnown && list.length === 0 ? <Begin about={asked.about} /> : null}
          {!problem && list.length > 0 ? <Overview /> : null}
        </div>
      </div>
    </main>
  );
}

function Overview() {
  const sessions = useSessions();
  const list = useSessionList();
  const waiting = list.filter((row) => sessions.group(row) === "needsYou").sort((a, b) => a.since - b.since);
  const running = list.filter((row) => sessions.group(row) === "running").length;
  const unread = list.filter((row) => sessions.group(row) === "unread" && !sessions.isArchived(row.id)).length;
  const [first] = waiting;
  const also = [running > 0 ? `${running} running` : "", unread > 0 ? `${unread} done and unread` : ""].filter(Boolean);
  return (
    <div className="overview">
      <h1>
        {first
          ? `${counted(waiting.length, "session")} ${waiting.length === 1 ? "needs" : "need"} you`
          : "Nothing needs you"}
      </h1>
      <p className="lead">{also.length > 0 ? `${also.join(", ")}.` : "No agent is running."}</p>
      <div className="row">
        {first ? (
          <a className="btn primary" href={placeHref({ page: "session", id: first.id })}>
            Open the one that waits longest
          </a>
        ) : null}
        <a className={first ? "btn" : "btn primary"} href={placeHref({ page: "new" })}>
          <Icon name="plus" />
          New session
        </a>
      </div>
      <p className="hint keys">
        <Caps action="nextSession" /> <Caps action="previousSession" /> next and previous session
        <span className="key-gap" />
        <Caps action="palette" /> commands
        <span className="key-gap" />
        <Caps action="keys" /> all keys
      </p>
    </div>
  );
}

function Begin({ about }: { about: About | undefined }) {
  return (
    <>
      <h1>Start your first session</h1>
      <p className="lead">
        Quarterdeck starts Claude Code in a folder of yours, shows what it does, and asks you before it does what it may
        not.
      </p>
      <div className="two">
        <div className="way">
          <h2>A fresh one</h2>
          <p>Choose a folder and say what is to be done.</p>
          <a className="btn primary" href={placeHref({ page: "new" })}>
            <Icon name="plus" />
            New session
          </a>
        </div>
        <div className="way">
          <h2>One from the terminal</h2>
          <p>Go on here with what you began in the terminal, history included.</p>
          <a className="btn" href={placeHref({ page: "new", tab: "resume" })}>
            Choose one
          </a>
        </div>
      </div>
      {about ? <Checks about={about} /> : null}
    </>
  );
}

function Missing({ about, isAsking, again }: { about: About; isAsking: boolean; again: () => void }) {
  return (
    <>
      <h1>Claude Code is not installed</h1>
      <p className="lead">
        Quarterdeck drives the Claude Code CLI on this computer. Install it and check again, or look around with the
        demo first.
      </p>
      <div className="two">
        <div className="way">
          <h2>Install the CLI</h2>
          <CopyLine text="npm i -g @anthropic-ai/claude-code" />
          <button type="button" className="btn primary" disabled={isAsking} onClick={again}>
            {isAsking ? <Arc className="" /> : <Icon name="refresh" />}
            {isAsking ? "Checking" : "Check again"}
          </button>
        </div>
        <div className="way">
          <h2>Try the demo</h2>
          <p>A scripted agent fixes a small bug. No account, no network, nothing kept.</p>
          <CopyLine text="quarterdeck demo" />
        </div>
      </div>
      <Checks about={about} />
    </>
  );
}

function Checks({ about }: { about: About }) {
  const { agent, roots, version } = about;
  return (
    <ul className="checks">
      {agent ? (
        <Check isGood={!agent.problem} name="Claude Code">
          <Words text={agent.problem ?? agent.version ?? agent.path ?? "found"} />
        </Check>
      ) : null}
      <Check isGood={roots.length > 0} name="Folders for agents">
        {roots.length > 0 ? <code>{roots.join(", ")}</code> : "none yet: the first session asks for one"}
      </Check>
      <Check isGood name="Server">
        Quarterdeck {version}, this browser is logged in
      </Check>
    </ul>
  );
}

function Check({ isGood, name, children }: { isGood: boolean; name: string; children: React.ReactNode }) {
  return (
    <li>
      <Icon
        name={isGood ? "check" : "x"}
        className={isGood ? "is-done" : "is-danger"}
        label={isGood ? "Good" : "Missing"}
      />
      <span>{name}</span>
      <span className="muted">{children}</span>
    </li>
  );
}
