// A subagent: what it is to do, how far it is, and in a box what it does; opened, all that it did.

import type { AgentItem, Item, ItemBody } from "../../generated";
import { Prose } from "../../markdown/Prose";
import { useLane, useSocket } from "../../store/use";
import { Icon } from "../Icon";
import { ShowAll, useWhole } from "../whole";
import { count, counted } from "../words";
import { ItemView } from "./ItemView";
import { Press } from "./inRow";
import { useOpen } from "./open";
import { Side } from "./Side";
import { Step } from "./Step";
import { StopTask } from "./StopTask";
import { Counting, Took } from "./time";
import { Terminal } from "./tool/Terminal";
import { decisionWords, glyphFor, stateWords, type Tone, tookMs } from "./toolWords";

/** So many steps are shown while it runs, and nobody asked for more. */
const LAST = 2;
/** All of a long one would be slow; so many at a time. */
const STEP = 100;

export function AgentLane({ item, agent }: { item: Item; agent: AgentItem }) {
  const lane = useLane(item.id);
  const isRunning = agent.status === "running" || agent.status === "background";
  const [isOpen, toggle] = useOpen(item.id, false);
  const { icon, tone } = glyphFor(agent.status, "agent", agent.decision);
  return (
    <Step
      icon={icon === "arc" ? "agent" : icon}
      tone={isRunning ? "is-running" : (tone as Tone)}
      verb={agent.name === "Task" || agent.name === "Agent" ? "Agent" : agent.name}
      object={{ text: agent.description || agent.agentType || "", isCode: false, isPath: false }}
      meta={<Meta item={item} agent={agent} />}
      isOpen={isOpen}
      onToggle={toggle}
    >
      {isOpen || isRunning || agent.status === "failed" ? (
        <Box item={item} agent={agent} lane={lane} isOpen={isOpen} onOpen={toggle} />
      ) : null}
    </Step>
  );
}

function Meta({ item, agent }: { item: Item; agent: AgentItem }) {
  const me = useSocket().device();
  const isRunning = agent.status === "running" || agent.status === "background";
  const words = isRunning
    ? agent.status === "background"
      ? "In the background"
      : "Running"
    : stateWords(agent.status, agent.decision, me);
  const tone = isRunning
    ? "is-running"
    : agent.status === "failed"
      ? "is-danger"
      : agent.status === "waiting"
        ? "is-needs"
        : "";
  return (
    <>
      {isRunning ? null : <Figures agent={agent} />}
      {words === undefined ? null : <span className={tone}>{words}</span>}
      {isRunning ? <Counting since={item.at} /> : <Took ms={agent.durationMs ?? tookMs(agent, item.at)} />}
    </>
  );
}

function Figures({ agent }: { agent: AgentItem }) {
  return (
    <>
      {agent.toolUses === undefined ? null : <span className="opt-meta">{counted(agent.toolUses, "tool")}</span>}
      {agent.tokens === undefined ? null : <span className="opt-meta num">{count(agent.tokens)} tokens</span>}
    </>
  );
}

type BoxProps = { item: Item; agent: AgentItem; lane: readonly Item[]; isOpen: boolean; onOpen: () => void };

function Box({ item, agent, lane, isOpen, onOpen }: BoxProps) {
  const me = useSocket().device();
  const isRunning = agent.status === "running" || agent.status === "background";
  const steps = lane.filter(({ body }) => isShown(body, agent, isOpen));
  const answer = isOpen && !isSaid(lane, agent) ? agent.result : undefined;
  const [isAll, showAll] = useOpen(`${item.id}:all`, false);
  const shown = isAll ? steps : steps.slice(-(isOpen ? STEP : LAST));
  const hidden = steps.length - shown.length;
  return (
    <div className={agent.status === "failed" ? "lane failed" : "lane"}>
      {isOpen && agent.prompt.text !== "" ? <Words id={`${item.id}:prompt`} label="Told" clip={agent.prompt} /> : null}
      {hidden > 0 ? (
        <Press className="lane-past" onClick={isOpen ? showAll : onOpen}>
          <Icon name="right" />
          {counted(hidden, "earlier step")}
        </Press>
      ) : null}
      {shown.map((step) => (
        <div key={step.id} className="lane-row">
          <ItemView id={step.id} />
          <Side id={step.id} />
        </div>
      ))}
      {agent.retry === undefined ? null : <p className="lane-line is-warn">{agent.retry}</p>}
      {agent.error === undefined ? null : <Terminal output={agent.error} id={`${item.id}:error`} isFailed />}
      {answer === undefined ? null : <Words id={`${item.id}:result`} label="Answered" clip={answer} />}
      <div className="lane-foot">
        {agent.agentType === undefined ? null : <span>{agent.agentType}</span>}
        {agent.model === undefined ? null : <span>{agent.model}</span>}
        {agent.toolUses === undefined ? null : <span>{counted(agent.toolUses, "tool")}</span>}
        {agent.tokens === undefined ? null : <span className="num">{count(agent.tokens)} tokens</span>}
        {agent.decision === undefined || !isOpen ? null : <span>{decisionWords(agent.decision, me)}</span>}
        {isRunning && agent.taskId !== undefined ? <StopTask task={agent.taskId} what={agent.description} /> : null}
      </div>
    </div>
  );
}

/** Closed, only what it does is shown; open, all but what it was told, which stands above. */
function isShown(body: ItemBody, agent: AgentItem, isOpen: boolean): boolean {
  if (!isOpen) return body.kind === "tool" || body.kind === "agent";
  return body.kind !== "user" || body.role === "person" || agent.prompt.text === "";
}

/** Is its answer the last thing that it said? Then it need not stand there twice. */
function isSaid(lane: readonly Item[], agent: AgentItem): boolean {
  const last = lane.findLast(({ body }) => body.kind === "text")?.body;
  return last?.kind === "text" && last.text.text.trim() === agent.result?.text.trim();
}

function Words({ id, label, clip }: { id: string; label: string; clip: AgentItem["prompt"] }) {
  const whole = useWhole(clip);
  return (
    <div className="lane-words">
      <span className="label">{label}</span>
      <Prose id={id} text={whole.text} />
      <ShowAll whole={whole} />
    </div>
  );
}
