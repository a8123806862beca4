// The subagents: a tree with the state, the tool in use, tokens and time of each; to be stopped, and found in the conversation.

import { useItems, useSocket } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { StopTask } from "../../item/StopTask";
import { Counting, Took } from "../../item/time";
import { glyphFor, stateWords, tookMs } from "../../item/toolWords";
import { count, counted } from "../../words";
import { Fold } from "../Fold";
import { ShowInConversation } from "../ShowInConversation";
import { type AgentNode, agentTree, countAgents, isRunning, runsAnywhere } from "./agents";

/** More than so many that have ended are folded away. */
const MOST_ENDED = 6;

export function Agents() {
  const tree = useItems(agentTree);
  if (tree.length === 0) return null;
  const running = tree.filter(runsAnywhere);
  const ended = tree.filter((node) => !runsAnywhere(node));
  const isMany = ended.length > MOST_ENDED;
  return (
    <section className="pane-sec" aria-label="Agents">
      <div className="pane-head">
        <h2>Agents</h2>
        <span className="num faint">{countAgents(tree)}</span>
      </div>
      <Tree nodes={isMany ? running : tree} />
      {isMany ? (
        <Fold id="ended-agents" title={`${ended.length} ended`}>
          <Tree nodes={ended} />
        </Fold>
      ) : null}
    </section>
  );
}

function Tree({ nodes }: { nodes: readonly AgentNode[] }) {
  return (
    <ul className="agent-tree">
      {nodes.map((node) => (
        <li key={node.item.id}>
          <AgentRow node={node} />
          {node.inner.length === 0 ? null : <Tree nodes={node.inner} />}
        </li>
      ))}
    </ul>
  );
}

function AgentRow({ node }: { node: AgentNode }) {
  const { item, agent } = node;
  const me = useSocket().device();
  const runs = isRunning(node);
  const words = agent.description || agent.agentType || agent.name;
  const state = runs
    ? agent.status === "background"
      ? "In the background"
      : "Running"
    : (stateWords(agent.status, agent.decision, me) ?? "Done");
  const notes = [
    state,
    agent.agentType,
    runs ? agent.lastTool : undefined,
    agent.toolUses === undefined ? undefined : counted(agent.toolUses, "tool"),
    agent.tokens === undefined ? undefined : `${count(agent.tokens)} tokens`,
  ].filter((note) => note !== undefined);
  return (
    <div className={runs ? "task acts active" : "task acts"}>
      <AgentGlyph node={node} />
      <span className="t">{words}</span>
      <span className="id num">
        {runs ? <Counting since={item.at} /> : <Took ms={agent.durationMs ?? tookMs(agent, item.at)} />}
      </span>
      <span className={agent.status === "failed" ? "note is-danger" : "note"}>{notes.join(" · ")}</span>
      {agent.retry === undefined || !runs ? null : <span className="note is-warn">{agent.retry}</span>}
      <span className="task-acts">
        {runs && agent.taskId !== undefined ? <StopTask task={agent.taskId} what={words} /> : null}
        <ShowInConversation item={item.id} what={words} />
      </span>
    </div>
  );
}

function AgentGlyph({ node }: { node: AgentNode }) {
  const { icon, tone } = glyphFor(node.agent.status, "okring", node.agent.decision);
  if (icon === "arc") return <Arc />;
  return node.agent.status === "failed" ? (
    <Icon name="bad" className="is-danger" />
  ) : (
    <Icon name={icon} className={node.agent.status === "completed" ? "is-done" : tone} />
  );
}
