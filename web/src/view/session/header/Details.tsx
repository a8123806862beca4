// Who pays and what runs: account, where the key is from, the CLI's version, the whole path.

import type { Catalog, Status } from "../../../generated";
import { usePart } from "../../../store/use";
import { Icon } from "../../Icon";
import { Popover } from "../../shell/Popover";

export function Details() {
  const status = usePart("status");
  const { account } = usePart("catalog");
  return (
    <Popover
      label="Account and agent"
      title="Account and agent"
      className="mini account"
      button={
        <>
          <Icon name="key" />
          <span className="account-words">{accountWords(account, status)}</span>
        </>
      }
    >
      <div className="facts">
        <h2>Account and agent</h2>
        <dl className="fact-list wide">
          {facts(status, account).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Popover>
  );
}

type Account = Catalog["account"];

/** A key that somebody pays by use is more than a plan. */
function accountWords(account: Account, status: Status): string {
  const key = keySource(account, status);
  if (key !== undefined) return "API key";
  return account?.plan ?? account?.email ?? "Account";
}

function keySource(account: Account, status: Status): string | undefined {
  const source = account?.apiKeySource ?? status.apiKeySource;
  return source === undefined || source === "none" ? undefined : source;
}

const AGENT: Record<Status["agent"], string> = {
  none: "Not started",
  starting: "Starting",
  running: "Running",
  ended: "Ended; the next message starts it again",
  died: "Died; the next message starts it again",
};

function facts(status: Status, account: Account): [string, string][] {
  const all: [string, string | undefined][] = [
    ["Account", account?.email],
    ["Organization", account?.organization],
    ["Plan", account?.plan],
    ["API key from", keySource(account, status) ?? "none"],
    ["Login from", account?.tokenSource === "none" ? undefined : account?.tokenSource],
    ["Claude Code", status.version],
    ["Agent", AGENT[status.agent]],
    ["Model", status.model],
    ["Effort", status.effort],
    ["Folder", status.cwd],
    ["Session", status.sessionId],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
