// One MCP server: its state in words, why it failed or what it wants, its tools, and what can be done with it.

import { changeMcp, type McpToolAnswer } from "../../../api/inspect";
import { useSession } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { humanName, humanWords } from "../../item/toolWords";
import { Failure } from "../../shell/Failure";
import { useAction } from "../../shell/useAction";
import { counted } from "../../words";
import { Fold } from "../Fold";
import { type SeenServer, type StatusTone, scopeWords, statusOf, toolMarks } from "./servers";

type Props = { server: SeenServer; isRunning: boolean; onChanged: () => void };

export function Server({ server, isRunning, onChanged }: Props) {
  const { words, tone } = statusOf(server.status);
  const where = [
    server.transport,
    server.scope === undefined ? undefined : scopeWords(server.scope),
    server.version === undefined ? undefined : `version ${server.version}`,
  ].filter((part) => part !== undefined);
  return (
    <li className="server">
      <div className="server-head">
        <Glyph tone={tone} isPending={server.status === "pending"} />
        <h3 className="cut" title={server.name}>
          {humanName(server.name)}
        </h3>
        <span className={tone === "bad" ? "is-danger" : tone === "wait" ? "is-warn" : "muted"}>{words}</span>
      </div>
      {where.length === 0 ? null : <p className="hint">{where.join(" · ")}</p>}
      {server.behind === undefined ? null : (
        <p className="hint cut" title={server.behind}>
          <code>{server.behind}</code>
        </p>
      )}
      {server.error === undefined ? null : <p className="server-error is-danger">{server.error}</p>}
      {server.status === "needs-auth" ? <Login name={server.name} /> : null}
      <Deeds server={server} isRunning={isRunning} onChanged={onChanged} />
      {server.tools.length === 0 ? null : (
        <Fold id={`mcp:${server.name}`} title={counted(server.tools.length, "tool")}>
          <ul className="tool-list">
            {server.tools.map((tool) => (
              <Tool key={tool.name} tool={tool} server={server.name} />
            ))}
          </ul>
        </Fold>
      )}
    </li>
  );
}

function Glyph({ tone, isPending }: { tone: StatusTone; isPending: boolean }) {
  if (isPending) return <Arc />;
  switch (tone) {
    case "good":
      return <Icon name="okring" className="is-done" />;
    case "bad":
      return <Icon name="bad" className="is-danger" />;
    case "wait":
      return <Icon name="key" className="is-warn" />;
    case "off":
      return <Icon name="blocked" className="faint" />;
    default:
      return tone satisfies never;
  }
}

/** The agents that are driven by a program cannot log in: the page opens from a terminal alone. */
function Login({ name }: { name: string }) {
  return (
    <p className="hint">
      Log in once in a terminal: start <code>claude</code> in this folder, type <code>/mcp</code> and choose{" "}
      <code>{name}</code>. Then connect it again here.
    </p>
  );
}

function Deeds({ server, isRunning, onChanged }: Props) {
  const { id } = useSession();
  const { run, isBusy, error } = useAction();
  const isOff = server.status === "disabled";
  const does = (action: "reconnect" | "enable" | "disable") => () =>
    run(() => changeMcp(id, server.name, action), onChanged);
  const name = humanName(server.name);
  return (
    <>
      <div className="server-acts">
        <label className="server-switch">
          <input
            type="checkbox"
            role="switch"
            className="switch"
            aria-label={`${name} is used`}
            aria-checked={!isOff}
            checked={!isOff}
            disabled={!isRunning || isBusy}
            onChange={does(isOff ? "enable" : "disable")}
          />
          <span aria-hidden="true">{isOff ? "Off" : "On"}</span>
        </label>
        {isOff ? null : (
          <button
            type="button"
            className="btn quiet sm"
            aria-label={`Connect again: ${name}`}
            disabled={!isRunning || isBusy}
            onClick={does("reconnect")}
          >
            <Icon name="refresh" />
            Connect again
          </button>
        )}
        {isBusy ? <Arc /> : null}
      </div>
      <Failure words={error} />
    </>
  );
}

function Tool({ tool, server }: { tool: McpToolAnswer; server: string }) {
  const marks = toolMarks(tool);
  return (
    <li>
      <span className="row">
        <span className="tool-name" title={`mcp__${server}__${tool.name}`}>
          {humanWords(tool.name)}
        </span>
        {marks.map((mark) => (
          <span key={mark} className="tag">
            {mark}
          </span>
        ))}
      </span>
      {tool.description === undefined ? null : <span className="hint">{tool.description}</span>}
    </li>
  );
}
