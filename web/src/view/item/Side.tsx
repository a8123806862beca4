// Beside an item, for who points at it or is in it: its words to copy, and the record that it was made from.

import type { Item } from "../../generated";
import { useItem, useSession } from "../../store/use";
import { fetchWhole } from "../whole";
import { CopyButton } from "./CopyButton";
import { RawButton } from "./Raw";

export function Side({ id }: { id: string }) {
  const item = useItem(id);
  // Messages of a person have theirs inside.
  if (!item || (item.body.kind === "user" && item.body.role === "person")) return null;
  return (
    <span className="side">
      <Copy item={item} />
      <RawButton item={item} />
    </span>
  );
}

function Copy({ item }: { item: Item }) {
  const session = useSession();
  if (item.body.kind !== "text") return null;
  const { text, more } = item.body.text;
  const copy = async () => (more ? fetchWhole(session.id, more) : text);
  return <CopyButton text={copy} what="text" />;
}
