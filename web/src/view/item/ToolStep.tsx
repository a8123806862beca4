// A call of a tool: the line, and below it what the tool does and gave.

import type { Item, ToolItem } from "../../generated";
import { usePart, useSocket } from "../../store/use";
import { bytes, exactly } from "../words";
import { useOpen } from "./open";
import { MorePictures, Pictures } from "./Pictures";
import { Step } from "./Step";
import { hasBody, ToolBody } from "./ToolBody";
import { Counting, Took } from "./time";
import { isNotebook } from "./tool/ReadBody";
import { Terminal } from "./tool/Terminal";
import { decisionWords, EVERYWHERE, figuresOf, glyphOf, objectOf, stateWords, tookMs, verbOf } from "./toolWords";

export function ToolStep({ item, tool }: { item: Item; tool: ToolItem }) {
  const folder = usePart("status").cwd;
  const { icon, tone } = glyphOf(tool);
  const canOpen = hasBody(tool);
  const [isOpen, toggle] = useOpen(item.id, opensItself(tool));
  return (
    <Step
      icon={icon}
      tone={tone}
      verb={verbOf(tool)}
      rawName={tool.view.view === "mcp" ? tool.name : undefined}
      object={objectOf(tool, folder)}
      meta={<Meta item={item} tool={tool} />}
      isOpen={canOpen ? isOpen : undefined}
      onToggle={canOpen ? toggle : undefined}
    >
      {canOpen && isOpen ? <Body item={item} tool={tool} /> : null}
    </Step>
  );
}

/** What was changed, what failed and what runs now is open by itself. */
function opensItself(tool: ToolItem): boolean {
  switch (tool.status) {
    case "failed":
      return true;
    case "denied":
      return tool.decision?.message !== undefined;
    case "running":
      return tool.view.view === "edit" || (tool.view.view === "command" && tool.view.output.text !== "");
    case "completed":
      return ["edit", "notebook", "plan"].includes(tool.view.view) || tool.images.length > 0;
    default:
      return false;
  }
}

function Meta({ item, tool }: { item: Item; tool: ToolItem }) {
  const me = useSocket().device();
  const { view, status, decision } = tool;
  const words = stateWords(status, decision, me);
  const figures = status === "completed" ? figuresOf(view) : undefined;
  const exit = view.view === "command" ? view.exitCode : undefined;
  const isFailure = status === "failed";
  return (
    <>
      {figures === undefined ? null : <span className="opt-meta cut">{figures}</span>}
      {view.view === "edit" && isDoneOrMeant(status) ? <Changed view={view} /> : null}
      {decision?.edited ? <span className="tag">Edited by you</span> : null}
      {view.view === "edit" && view.diff.userModified && !decision?.edited ? (
        <span className="tag">Edited by you</span>
      ) : null}
      {exit === undefined || exit === 0 ? null : <span className="exit is-danger">exit {exit}</span>}
      {view.view === "command" && view.interrupted && status !== "cancelled" ? <span>Interrupted</span> : null}
      {words === undefined || (isFailure && exit !== undefined) ? null : (
        <span className={status === "waiting" ? "is-needs strong-state" : isFailure ? "is-danger" : ""}>
          {words}
          {status === "writing" && tool.input.text.length > 1024 ? `, ${bytes(tool.input.text.length)}` : ""}
        </span>
      )}
      {status === "running" || status === "background" ? (
        <Counting since={decision?.outcome === "allowed" ? decision.at : item.at} />
      ) : status === "completed" || isFailure ? (
        <Took ms={tookMs(tool, item.at)} />
      ) : null}
    </>
  );
}

/** Was it changed, or will it be? */
function isDoneOrMeant(status: ToolItem["status"]): boolean {
  return status !== "failed" && status !== "denied" && status !== "cancelled";
}

function Changed({ view }: { view: Extract<ToolItem["view"], { view: "edit" }> }) {
  const { added, removed, created, everywhere } = view.diff;
  return (
    <>
      {everywhere === undefined ? null : <span className="opt-meta">{EVERYWHERE[everywhere]}</span>}
      {created ? <span className="opt-meta">New file</span> : null}
      {added === 0 && removed === 0 ? null : (
        <>
          <span className="added num">+{added}</span>
          {created && removed === 0 ? null : <span className="removed num">−{removed}</span>}
        </>
      )}
    </>
  );
}

/** The agent is told why a call was refused, and gives it back as the call's error. */
const isSaidBelow = (error: string, message: string | undefined): boolean =>
  message !== undefined && error.trim() === message.trim();

function Body({ item, tool }: { item: Item; tool: ToolItem }) {
  const me = useSocket().device();
  const { decision } = tool;
  return (
    <div className="step-body">
      {tool.summary === undefined ? null : <p className="body-note">{tool.summary}</p>}
      <ToolBody view={tool.view} tool={tool} id={item.id} />
      {tool.error === undefined || isSaidBelow(tool.error.text, decision?.message) ? null : (
        <Terminal output={tool.error} id={`${item.id}:error`} isFailed />
      )}
      {isNotebook(tool.view) ? null : <Pictures images={tool.images} />}
      <MorePictures count={tool.moreImages} />
      {decision?.outcome === "allowed" ? (
        <p className="body-note" title={exactly(decision.at)}>
          {decisionWords(decision, me)}
          {decision.edited ? " · the input was edited before it ran" : ""}
        </p>
      ) : null}
      {decision?.message ? <p className="body-note said">“{decision.message}”</p> : null}
    </div>
  );
}
