// The conversation, from top to bottom.

import { useItem, useRows } from "../../store/use";

export function Timeline() {
  const rows = useRows();
  return (
    <div className="scroll" role="log" aria-live="off" aria-label="Conversation">
      <div className="col">
        {rows.map((row) => (row.kind === "item" || row.kind === "step" ? <Plain key={row.key} id={row.id} /> : null))}
      </div>
    </div>
  );
}

function Plain({ id }: { id: string }) {
  const item = useItem(id);
  return item && "text" in item.body && typeof item.body.text === "object" ? <p>{item.body.text.text}</p> : null;
}
