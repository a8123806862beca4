// What was said earlier is not on the page until somebody asks for it: this asks, and says what it is needed for.

import { useState } from "react";
import { useItems, useSession } from "../../store/use";
import { Arc } from "../Icon";

const nothing = (): undefined => undefined;

/** `words` says what is missing as long as they are not there. */
export function EarlierItems({ words }: { words: string }) {
  const session = useSession();
  useItems(nothing);
  const [state, setState] = useState<"still" | "coming" | "failed">("still");
  if (!session.hasOlder()) return null;
  const bring = () => {
    setState("coming");
    session.bringOlder().then(
      () => setState("still"),
      () => setState("failed"),
    );
  };
  return (
    <div className="pane-more">
      <p className={state === "failed" ? "hint is-danger" : "hint"}>
        {state === "failed" ? "Earlier turns could not be loaded." : words}
      </p>
      <button type="button" className="btn sm" disabled={state === "coming"} onClick={bring}>
        {state === "coming" ? <Arc /> : null}
        {state === "coming" ? "Loading" : state === "failed" ? "Try again" : "Load earlier turns"}
      </button>
    </div>
  );
}
