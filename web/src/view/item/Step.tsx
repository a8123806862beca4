// A step of a turn: one line with a glyph on the spine, and a body below it if it is open.

import type { ReactNode } from "react";
import { Arc, Icon, type IconName } from "../Icon";
import { Press } from "./inRow";
import type { StepObject, Tone } from "./toolWords";

type Props = {
  icon: IconName | "arc" | undefined;
  tone?: Tone;
  verb: ReactNode;
  /** The tool's own name, where the verb is another. */
  rawName?: string | undefined;
  object?: StepObject | undefined;
  meta?: ReactNode;
  isQuiet?: boolean;
  /** None if there is nothing to open. */
  isOpen?: boolean | undefined;
  onToggle?: (() => void) | undefined;
  /** Stands at the right, beside the line. */
  actions?: ReactNode;
  children?: ReactNode;
};

export function Step({ icon, tone = "", isQuiet = false, isOpen, onToggle, actions, children, ...rest }: Props) {
  const className = isQuiet ? "line quiet" : "line";
  const line = <StepLine {...rest} isOpen={isOpen} />;
  return (
    <div className="step">
      <span className={`node ${tone}`}>
        {icon === undefined ? null : icon === "arc" ? <Arc /> : <Icon name={icon} />}
      </span>
      <div className="step-in">
        <div className="line-row">
          {onToggle === undefined ? (
            <div className={className}>{line}</div>
          ) : (
            <Press className={className} aria-expanded={isOpen === true} onClick={onToggle} data-toggle="">
              {line}
            </Press>
          )}
          {actions}
        </div>
        {children}
      </div>
    </div>
  );
}

function StepLine({
  verb,
  rawName,
  object,
  meta,
  isOpen,
}: Pick<Props, "verb" | "rawName" | "object" | "meta" | "isOpen">) {
  return (
    <>
      <span className="verb" title={rawName}>
        {verb}
      </span>
      {object === undefined || object.text === "" ? null : <ObjectView object={object} />}
      <span className="meta">
        {meta}
        {isOpen === undefined ? null : <Icon name={isOpen ? "down" : "right"} />}
      </span>
    </>
  );
}

function ObjectView({ object }: { object: StepObject }) {
  const kind = object.isCode ? "obj" : "obj words";
  return object.isPath ? (
    <span className={`${kind} cut-start`} title={object.text}>
      <bdi>{object.text}</bdi>
    </span>
  ) : (
    <span className={`${kind} cut`} title={object.text}>
      {object.text}
    </span>
  );
}
