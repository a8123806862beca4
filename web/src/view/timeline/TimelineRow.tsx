// One row of the conversation.

import { memo } from "react";
import type { Row } from "../../store/rows";
import { useItem, useSession } from "../../store/use";
import { ItemView } from "../item/ItemView";
import { RowContext } from "../item/inRow";
import { Side } from "../item/Side";
import { Step } from "../item/Step";
import { TurnLine } from "../item/TurnLine";
import { counted } from "../words";

/** `spine` says where the line that joins steps begins and ends. */
type Props = { row: Row; isActive: boolean; spine: string };

export const TimelineRow = memo(
  function TimelineRow({ row, isActive, spine }: Props) {
    return (
      <RowContext value={isActive}>
        <RowElement row={row} isActive={isActive} spine={spine} />
      </RowContext>
    );
  },
  (before, after) =>
    before.isActive === after.isActive && before.spine === after.spine && isSame(before.row, after.row),
);

/** Where the line begins and ends, seen from the rows around. */
export function spineOf(before: Row | undefined, after: Row | undefined): string {
  const isStep = (row: Row | undefined) => row !== undefined && row.kind !== "item" && row.kind !== "turn";
  return (isStep(before) ? "" : " spine-start") + (isStep(after) ? "" : " spine-end");
}

function isSame(a: Row, b: Row): boolean {
  const keys = Object.keys(a) as (keyof Row)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function RowElement({ row, isActive, spine }: Props) {
  const { role, className } = useLook(row);
  return (
    <div className={`trow ${className}${spine}`} data-key={row.key} role={role} tabIndex={isActive ? 0 : -1}>
      <Content row={row} />
    </div>
  );
}

/** How much room it needs, and what it is for who cannot see it. */
function useLook(row: Row): { role: "article" | "group"; className: string } {
  const id = "id" in row ? row.id : "";
  const body = useItem(id)?.body;
  // Only what a person said begins something new.
  const kind = body?.kind === "user" && body.role !== "person" ? "note" : (body?.kind ?? "");
  switch (row.kind) {
    case "item":
      return { role: "article", className: `k-${kind}` };
    case "step":
      return { role: "group", className: `is-step k-${kind}${row.inGroup ? " in-group" : ""}` };
    case "parallel":
    case "earlier":
      return { role: "group", className: "is-step" };
    case "turn":
      return { role: "group", className: "k-turn" };
    default:
      return row satisfies never;
  }
}

function Content({ row }: { row: Row }) {
  switch (row.kind) {
    case "item":
    case "step":
      return (
        <>
          <ItemView id={row.id} inInterrupted={row.inInterrupted === true} />
          <Side id={row.id} />
        </>
      );
    case "parallel":
      return <Step icon="par" verb={`${row.count} in parallel`} isQuiet />;
    case "turn":
      return (
        <>
          <TurnLine id={row.id} steps={row.steps} isOpen={row.open} hasError={row.hasError} />
          <Side id={row.id} />
        </>
      );
    case "earlier":
      return <Earlier row={row} />;
    default:
      return row satisfies never;
  }
}

function Earlier({ row }: { row: Extract<Row, { kind: "earlier" }> }) {
  const session = useSession();
  const { key, steps, open: isOpen } = row;
  return (
    <Step
      icon="more"
      verb={isOpen ? `Hide ${counted(steps, "earlier step")}` : counted(steps, "earlier step")}
      isQuiet
      isOpen={isOpen}
      onToggle={() => session.toggle(key)}
    />
  );
}
