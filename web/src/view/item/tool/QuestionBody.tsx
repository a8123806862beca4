// Questions to the user, and what was answered.

import type { Question } from "../../../generated";
import { Icon } from "../../Icon";
import type { BodyProps } from "../ToolBody";

export function QuestionBody({ view }: BodyProps<"question">) {
  return (
    <div className="slip">
      {view.questions.map((question) => (
        <section key={question.question} className="asked">
          <p>
            {question.header === undefined ? null : <span className="tag">{question.header}</span>} {question.question}
          </p>
          <Answers
            question={question}
            answers={view.answers[question.question] ?? []}
            note={view.notes?.[question.question]}
          />
        </section>
      ))}
    </div>
  );
}

interface AnswersProps {
  question: Question;
  answers: readonly string[];
  /** What the user noted beside them. */
  note: string | undefined;
}

function Answers({ question, answers, note }: AnswersProps) {
  const own = answers.filter((answer) => !question.options.some((option) => option.label === answer));
  return (
    <ul>
      {question.options.map((option) => {
        const isChosen = answers.includes(option.label);
        return (
          <li key={option.label} className={isChosen ? "" : "muted"}>
            {isChosen ? <Icon name="check" className="is-done" label="chosen" /> : <span className="no-glyph" />}
            <span>
              {option.label}
              {option.description === undefined ? null : <span className="faint"> {option.description}</span>}
            </span>
          </li>
        );
      })}
      {own.map((answer) => (
        <li key={answer}>
          <Icon name="message" className="is-done" label="own answer" />
          <span>{answer}</span>
        </li>
      ))}
      {note === undefined ? null : (
        <li>
          <span className="no-glyph" />
          <span className="muted">Note: {note}</span>
        </li>
      )}
    </ul>
  );
}
