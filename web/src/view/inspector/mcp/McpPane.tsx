// The MCP servers of a session: how each is, what it offers; to be connected again and switched on and off.

import { useEffect, useRef, useState } from "react";
import { askMcp, type McpServerAnswer } from "../../../api/inspect";
import { useKnown, usePart, useSession } from "../../../store/use";
import { Arc } from "../../Icon";
import { resume } from "../../session/actions";
import { lifted, useSteady } from "../../shell/press";
import { useAction } from "../../shell/useAction";
import { counted } from "../../words";
import { Server } from "./Server";
import { seenServers } from "./servers";

/** While a server is being connected it is looked again after so long, and so often: then it is as the agent says. */
const AGAIN_MS = 2000;
const LOOKS = 30;

export function McpPane() {
  const { id } = useSession();
  const known = useSteady(usePart("mcp"));
  const isKnown = useKnown();
  const isRunning = usePart("status").agent === "running";
  const { answered, isBusy, error, ask } = useServers(isRunning);
  const servers = seenServers(known, answered, usePart("catalog").tools);
  const isConnecting = isRunning && servers.some(({ status }) => status === "pending");
  const looks = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is followed by another look.
  useEffect(() => {
    if (!isConnecting) looks.current = 0;
    if (!isConnecting || isBusy || looks.current >= LOOKS) return;
    const timer = setTimeout(() => {
      looks.current += 1;
      ask();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isConnecting, isBusy, answered]);
  if (!isKnown) return null;
  return (
    <section aria-label="MCP servers">
      <div className="pane-head">
        <h2>{servers.length === 0 ? "MCP servers" : counted(servers.length, "MCP server")}</h2>
        <span className="grow" />
        {isBusy && !isConnecting ? (
          <span className="row hint">
            <Arc /> Asking the agent
          </span>
        ) : isRunning ? (
          <button type="button" className="btn quiet sm" onClick={ask}>
            Ask again
          </button>
        ) : null}
      </div>
      {error === undefined ? null : <p className="hint is-danger">The agent did not say more: {error}</p>}
      {isRunning || servers.length === 0 ? null : (
        <div className="pane-more">
          <p className="hint">The agent is not running: this is how they were.</p>
          <button type="button" className="btn sm" onClick={() => resume(id)}>
            Start its agent again
          </button>
        </div>
      )}
      {servers.length === 0 && !isBusy ? <NoServers isRunning={isRunning} /> : null}
      <ul className="server-list">
        {servers.map((server) => (
          <Server key={server.name} server={server} isRunning={isRunning} onChanged={ask} />
        ))}
      </ul>
    </section>
  );
}

function NoServers({ isRunning }: { isRunning: boolean }) {
  return (
    <div className="pane-empty">
      <p>{isRunning ? "This session has no MCP servers." : "No MCP servers are known of this session."}</p>
      <p className="hint">
        Add one in a terminal with <code>claude mcp add</code>, or name a file with servers when you start a session.
      </p>
    </div>
  );
}

/** The agent tells more than the state keeps: where servers are from, and what their tools do. */
function useServers(isRunning: boolean) {
  const { id } = useSession();
  const { run, isBusy, error } = useAction();
  const [answered, setAnswered] = useState<readonly McpServerAnswer[]>([]);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    void times;
    if (!isRunning) return;
    const abort = new AbortController();
    run(async () => {
      try {
        const { mcpServers } = await askMcp(id, abort.signal);
        // It says more of each server, which makes all rows longer.
        await lifted();
        setAnswered(mcpServers ?? []);
      } catch (cause) {
        if (!abort.signal.aborted) throw cause;
      }
    });
    return () => abort.abort();
  }, [id, isRunning, times, run]);
  return { answered, isBusy, error, ask: () => setTimes((before) => before + 1) };
}
