// What a tool does and gave, by kind. Also for a call that still waits for leave: then it shows what would be done.

import { type ComponentType, useId } from "react";
import type { ToolItem, ToolView } from "../../generated";
import { CommandBody } from "./tool/CommandBody";
import { EditBody } from "./tool/EditBody";
import { FetchBody } from "./tool/FetchBody";
import { NotebookBody } from "./tool/NotebookBody";
import { OtherBody } from "./tool/OtherBody";
import { PlanBody } from "./tool/PlanBody";
import { QuestionBody } from "./tool/QuestionBody";
import { ReadBody } from "./tool/ReadBody";
import { SearchBody } from "./tool/SearchBody";
import { SkillBody } from "./tool/SkillBody";
import { TodoBody } from "./tool/TodoBody";
import { WebSearchBody } from "./tool/WebSearchBody";

type Kind = ToolView["view"];
type ViewOf<K extends Kind> = Extract<ToolView, { view: K }>;

/** `tool` is there when the call is a part of the conversation; `id` names its texts. */
export type BodyProps<K extends Kind> = { view: ViewOf<K>; tool: ToolItem | undefined; id: string };

const BODIES = {
  command: CommandBody,
  read: ReadBody,
  edit: EditBody,
  search: SearchBody,
  fetch: FetchBody,
  webSearch: WebSearchBody,
  todo: TodoBody,
  notebook: NotebookBody,
  question: QuestionBody,
  plan: PlanBody,
  skill: SkillBody,
  mcp: OtherBody,
  other: OtherBody,
} satisfies { [K in Kind]: ComponentType<BodyProps<K>> };

export function ToolBody({ view, tool, id }: { view: ToolView; tool?: ToolItem | undefined; id?: string }) {
  const ownId = useId();
  // The map has, for each kind, the component for that kind.
  const Body = BODIES[view.view] as ComponentType<BodyProps<Kind>>;
  return <Body view={view} tool={tool} id={id ?? ownId} />;
}

/** Is there anything to open? */
export function hasBody(tool: ToolItem): boolean {
  if (tool.error || tool.images.length > 0 || tool.summary) return true;
  // That it was refused stands in the line; why, below it.
  if (tool.decision && (tool.decision.outcome === "allowed" || tool.decision.message)) return true;
  return hasView(tool) || (tool.status !== "writing" && tool.input.text.length > 2);
}

function hasView({ view, status }: ToolItem): boolean {
  switch (view.view) {
    case "command":
      return view.output.text !== "" || status === "completed" || view.command.text.length > 60;
    case "read":
      return view.content.text !== "";
    case "edit":
      return view.diff.hunks.length > 0 || view.content !== undefined;
    case "todo":
      return view.todos.length > 0;
    case "question":
      return view.questions.length > 0;
    case "plan":
      return view.plan.text !== "";
    default:
      return true;
  }
}
