// The thing itself: the command with its folder, the change before it is made, the address, the fields of a call.

import type { Clip, PermissionAsk } from "../../generated";
import { usePart } from "../../store/use";
import { Icon } from "../Icon";
import { ShowAll } from "./ShowAll";
import { ToolBody } from "./standin";
import { spoken } from "./titles";
import { useWhole } from "./useWhole";

export function Subject({ ask }: { ask: PermissionAsk }) {
  const { view } = ask;
  switch (view.view) {
    case "command":
      return <Command command={view.command} isBackground={view.background} description={view.description} />;
    case "edit":
    case "notebook":
      return (
        <Well label={view.view === "edit" ? "The change" : "The cell"}>
          <ToolBody view={view} />
        </Well>
      );
    case "fetch":
      return (
        <Well label="The address">
          <Address url={view.url} />
          {view.prompt === undefined ? null : <p className="ask-note">{view.prompt}</p>}
        </Well>
      );
    case "read":
    case "search":
    case "webSearch":
    case "todo":
    case "question":
    case "plan":
    case "skill":
    case "mcp":
    case "other":
      return <Fields input={ask.input} />;
    default:
      return view satisfies never;
  }
}

/** A well that scrolls when it is long; who uses the keyboard can get into it. */
export function Well({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a pointer.
    <section className="well ask-well" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

function Command(props: { command: Clip; isBackground: boolean; description: string | undefined }) {
  const folder = usePart("status").cwd;
  const whole = useWhole(props.command);
  return (
    <Well label="The command">
      <code className="cmd">
        <span className="pr" aria-hidden="true">
          ${" "}
        </span>
        {whole.text}
      </code>
      <ShowAll clip={props.command} whole={whole} />
      <div className="ask-note">
        {folder === undefined ? null : (
          <span className="row ask-folder" title={folder}>
            <Icon name="folder" />
            <code className="cut-start">
              <bdi>{folder}</bdi>
            </code>
          </span>
        )}
        {props.description === undefined ? null : <span className="cut grow">{props.description}</span>}
        {props.isBackground ? <span className="num">in the background</span> : null}
      </div>
    </Well>
  );
}

/** An address that can be opened, if it is one of the web. */
export function Address({ url }: { url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <code className="cmd">
      {isWeb ? (
        <a className="link" href={url} target="_blank" rel="noopener noreferrer">
          {url}
        </a>
      ) : (
        url
      )}
    </code>
  );
}

/** What a call is given, field by field. */
function Fields({ input }: { input: Clip }) {
  const whole = useWhole(input);
  const fields = fieldsOf(whole.text);
  if (fields !== undefined && fields.length === 0) return null;
  return (
    <Well label="What it is given">
      {fields === undefined ? (
        <pre>{whole.text}</pre>
      ) : (
        <dl className="ask-fields">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt title={name}>{spoken(name)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ShowAll clip={input} whole={whole} />
    </Well>
  );
}

/** The fields of a JSON object, as text; none if it is something else, or cut. */
function fieldsOf(json: string): [string, string][] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    return Object.entries(parsed).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value, null, 2),
    ]);
  } catch {
    return undefined;
  }
}
