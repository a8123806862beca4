// An item of the conversation, drawn by its kind.

import type { ComponentType } from "react";
import type { Item, ItemBody } from "../../generated";
import { useItem } from "../../store/use";
import { AgentLane } from "./AgentLane";
import { Compaction, Failure, Hook, LocalCommand, Notice, Unknown } from "./marks";
import { Text } from "./Text";
import { ThinkingStep } from "./ThinkingStep";
import { ToolStep } from "./ToolStep";
import { TurnLine } from "./TurnLine";
import { UserMessage } from "./UserMessage";

type Kind = ItemBody["kind"];
type Props<K extends Kind> = { item: Item; body: Extract<ItemBody, { kind: K }>; inInterrupted: boolean };

const VIEWS = {
  user: ({ item, body }) => <UserMessage item={item} user={body} />,
  text: ({ item, body, inInterrupted }) => <Text item={item} text={body} isEndTold={inInterrupted} />,
  thinking: ({ item, body }) => <ThinkingStep item={item} thought={body} />,
  tool: ({ item, body }) => <ToolStep item={item} tool={body} />,
  agent: ({ item, body }) => <AgentLane item={item} agent={body} />,
  command: ({ item, body }) => <LocalCommand item={item} command={body} />,
  compaction: ({ item, body }) => <Compaction item={item} compaction={body} />,
  notice: ({ body }) => <Notice notice={body} />,
  error: ({ body }) => <Failure error={body} />,
  hook: ({ item, body }) => <Hook item={item} hook={body} />,
  turn: ({ item }) => <TurnLine id={item.id} steps={0} isOpen={false} hasError={false} />,
  unknown: ({ item, body }) => <Unknown item={item} unknown={body} />,
} satisfies { [K in Kind]: ComponentType<Props<K>> };

/** `inInterrupted`: is it a part of a turn that says itself that it was interrupted? */
export function ItemView({ id, inInterrupted = false }: { id: string; inInterrupted?: boolean }) {
  const item = useItem(id);
  if (!item) return null;
  // The map has, for each kind, the component for that kind.
  const View = VIEWS[item.body.kind] as ComponentType<Props<Kind>>;
  return <View item={item} body={item.body} inInterrupted={inInterrupted} />;
}
