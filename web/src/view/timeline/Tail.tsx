// What goes on below the last row: the model is called again, the context is summed up.

import { usePart } from "../../store/use";
import { Arc } from "../Icon";
import { useNow } from "../now";
import { duration } from "../words";

export function Tail() {
  const { turn, compacting } = usePart("status");
  const retry = turn?.retry;
  return (
    <div className="tail">
      {compacting ? (
        <p className="tail-line">
          <Arc /> Compacting the context
        </p>
      ) : null}
      {retry ? <Retrying at={retry.at} error={retry.error} attempt={retry.attempt} max={retry.max} /> : null}
    </div>
  );
}

function Retrying({
  at,
  error,
  attempt,
  max,
}: {
  at: number;
  error: string;
  attempt: number;
  max: number | undefined;
}) {
  const now = useNow();
  const left = Math.ceil((at - now) / 1000) * 1000;
  return (
    <p className="tail-line is-warn">
      <Arc className="is-warn" /> {error}, try {attempt}
      {max === undefined ? "" : ` of ${max}`}
      {left > 0 ? `, again in ${duration(left).replace(".0", "")}` : ", trying now"}
    </p>
  );
}
