// What one wants to spend: it warns, and says so. What stops a session is set when that is started.

import { type FormEvent, useState } from "react";
import { spentToday } from "../../api/server";
import { changeOwn, useOwn } from "../../store/own";
import { useAction } from "../shell/useAction";
import { dollars } from "../words";
import { readDollars } from "./dollars";
import { Fault, Section } from "./parts";
import { useLoaded } from "./useLoaded";

const WORDS = "The foot of the list turns ochre at 80 % and red when it is reached. Nothing is stopped by it.";

export function Budgets() {
  return (
    <>
      <Day />
      <Section title="Each session">
        <p className="muted">
          What a session may spend is set when it is started (“Stop at”): the CLI itself stops the turn there.
        </p>
      </Section>
    </>
  );
}

function Day() {
  const budget = useOwn().budgets.day;
  const { value: spent, error: notRead } = useLoaded(spentToday);
  const { run, isBusy, error } = useAction();
  const [text, setText] = useState<string>();
  const shown = text ?? (budget === undefined ? "" : String(budget));
  const read = readDollars(shown);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    if (read === "wrong") return;
    run(
      () => changeOwn({ budgets: { day: read ?? null } }),
      () => setText(undefined),
    );
  };
  const far =
    spent === undefined
      ? undefined
      : `Spent so far: ${dollars(spent)}${budget === undefined ? "" : ` of ${dollars(budget)}`}.`;
  return (
    <Section title="Each day" hint={[far, WORDS].filter((part) => part !== undefined).join(" ")}>
      <form className="inline-form short" onSubmit={keep}>
        <input
          className={read === "wrong" ? "input error" : "input"}
          aria-label="Budget for a day, in dollars"
          aria-invalid={read === "wrong"}
          inputMode="decimal"
          placeholder="No budget, in $"
          value={shown}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="btn" disabled={isBusy || text === undefined || read === "wrong"}>
          {isBusy ? "Keeping" : "Keep"}
        </button>
      </form>
      <Fault words={read === "wrong" ? "This is no sum in dollars." : (error ?? notRead)} />
    </Section>
  );
}
