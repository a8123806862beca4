// What is so, always in view: title, where it works, model, mode, context, cost, connection.

import { useConnection, usePart, useWatchers } from "../../store/use";
import { Icon } from "../Icon";
import { clock, counted, dollars, lastPart, modeWords, percent } from "../words";

export function SessionHeader() {
  const status = usePart("status");
  return (
    <header className="head">
      <div className="head-in">
        <div className="head-row">
          <h1 className="cut">{status.title ?? "New session"}</h1>
          <span className="grow" />
          <Watchers />
          <ConnectionMark />
        </div>
        <div className="head-row sub">
          {status.cwd === undefined ? null : (
            <span className="where cut" title={status.cwd}>
              {lastPart(status.cwd)}
            </span>
          )}
          {status.model === undefined ? null : <span className="mini">{status.model}</span>}
          <span className={status.mode === "bypassPermissions" ? "tag danger" : "mini"}>{modeWords(status.mode)}</span>
          <span className="grow" />
          <ContextMeter />
          <Cost />
        </div>
      </div>
    </header>
  );
}

function Watchers() {
  const watchers = useWatchers();
  return watchers < 2 ? null : (
    <span className="conn muted" title={`${counted(watchers, "screen")} watch this session`}>
      <Icon name="eye" />
      {watchers}
    </span>
  );
}

export function ConnectionMark() {
  const connection = useConnection();
  switch (connection.kind) {
    case "live":
      return <Mark kind="" words="Live" />;
    case "connecting":
      return <Mark kind=" wait" words="Connecting" />;
    case "catchingUp":
      return <Mark kind=" wait" words="Catching up" />;
    case "offline":
      return <Mark kind=" off" words={`Offline since ${clock(connection.since)}`} />;
    default:
      return connection satisfies never;
  }
}

function Mark({ kind, words }: { kind: string; words: string }) {
  return (
    <span className={`conn${kind}`}>
      <i />
      {words}
    </span>
  );
}

function ContextMeter() {
  const { used, window } = usePart("meters").context;
  if (used === undefined || window === undefined || window === 0) return null;
  const share = Math.min(100, (used / window) * 100);
  const level = share >= 85 ? " danger" : share >= 70 ? " warn" : "";
  const words = `${used.toLocaleString()} of ${window.toLocaleString()} tokens`;
  return (
    <span className="mini" title={words}>
      <svg
        className={`ctx${level}`}
        viewBox="0 0 64 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Context: ${words}`}
      >
        <rect className="t" width="64" height="6" rx="3" />
        <rect className="f" width={(share * 64) / 100} height="6" rx="3" />
        <rect className="tick" x="44.3" width="1" height="6" />
        <rect className="tick" x="53.9" width="1" height="6" />
      </svg>
      <span className={level === "" ? "" : `is-${level.trim()} strong`}>{percent(share)}</span>
    </span>
  );
}

function Cost() {
  const meters = usePart("meters");
  return (
    <span className="mini" title={`${counted(meters.turns, "turn")}`}>
      <span className="strong">{dollars(meters.costUsd)}</span>
      {meters.lastTurnUsd === undefined ? null : <span>+{dollars(meters.lastTurnUsd).slice(1)}</span>}
    </span>
  );
}
