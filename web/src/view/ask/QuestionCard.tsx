// What would you like? One block a question, or one after the other; nothing is chosen beforehand, and one can always write.

import { type KeyboardEvent, useRef, useState } from "react";
import type { Ask, QuestionAsk } from "../../generated";
import { isPressed } from "../keys/bindings";
import { isComposing } from "../keys/chord";
import { AskFrame } from "./AskFrame";
import { answerOf, answersOf, type Chosen, inSteps, NOTHING } from "./answers";
import { useDeciding, useDock } from "./control";
import { Key, KeyHint, Label } from "./Key";
import { QuestionBlock } from "./QuestionBlock";

export function QuestionCard({ ask, body }: { ask: Ask; body: QuestionAsk }) {
  const { isSheet, leave } = useDock();
  const { isSending, isArmed, send, error } = useDeciding(ask);
  const { questions } = body;
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => questions.map(() => NOTHING));
  const [step, setStep] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const stepwise = inSteps(questions.length, isSheet);
  const answers = answersOf(questions, chosen);
  const given = Object.keys(answers).length;
  const isLast = !stepwise || step === questions.length - 1;

  const toStep = (next: number) => {
    setStep(next);
    // The block is there after the next paint.
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>("[data-first]")?.focus());
  };
  const answer = () => {
    if (!isSending && given > 0) void send({ kind: "answer", answers });
  };
  const submit = () => {
    if (!isLast) return toStep(step + 1);
    // Enter goes on to what is not answered yet; the button and Ctrl+Enter send what there is.
    const open = questions.findIndex((question, at) => answerOf(question, chosen[at] ?? NOTHING) === undefined);
    if (open < 0 || stepwise) return answer();
    root.current?.querySelectorAll<HTMLElement>("[data-first]")[open]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (isPressed("submit", event)) {
      event.preventDefault();
      if (isArmed()) answer();
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      if (isArmed() && !isSending) submit();
    }
  };
  const sendWords =
    given === 0 || given === questions.length
      ? questions.length === 1
        ? "Send answer"
        : "Send answers"
      : `Send ${given} of ${questions.length} answers`;
  const shown = stepwise ? [step] : questions.map((_, at) => at);
  return (
    <AskFrame
      ask={ask}
      icon="ask"
      error={error}
      isSending={isSending}
      onKeyDown={onKeyDown}
      onSubmit={submit}
      actions={
        <div className="actions">
          {isLast ? (
            <button type="button" className="btn primary" disabled={isSending || given === 0} onClick={answer}>
              <Label isSending={isSending} words={sendWords} />
              <Key action="submit" />
            </button>
          ) : (
            <button type="submit" className="btn primary" disabled={isSending}>
              Next
              <Key>Enter</Key>
            </button>
          )}
          {stepwise && step > 0 ? (
            <button type="button" className="btn" disabled={isSending} onClick={() => toStep(step - 1)}>
              Back
            </button>
          ) : null}
          <button
            type="button"
            className="btn quiet"
            disabled={isSending}
            onClick={() => void send({ kind: "deny", why: "The user skipped these questions." })}
          >
            {questions.length === 1 ? "Skip this question" : "Skip these questions"}
          </button>
          <KeyHint name="Esc" does="leaves it waiting" />
        </div>
      }
    >
      <div ref={root}>
        {stepwise ? (
          <p className="q-step num" aria-live="polite">
            Question {step + 1} of {questions.length}
          </p>
        ) : null}
        {shown.map((at) => {
          const question = questions[at];
          return question === undefined ? null : (
            <QuestionBlock
              key={at}
              question={question}
              chosen={chosen[at] ?? NOTHING}
              isDisabled={isSending}
              isArmed={isArmed}
              onChoose={(next) => setChosen(chosen.map((one, other) => (other === at ? next : one)))}
            />
          );
        })}
      </div>
    </AskFrame>
  );
}
