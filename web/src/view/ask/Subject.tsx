// The thing itself: the command with its folder, the change before it is made, the address, the fields of a call.

import type { ReactNode } from "react";
import type { Clip, Everywhere, PermissionAsk, ToolView } from "../../generated";
import { usePart } from "../../store/use";
import { Icon } from "../Icon";
import { ToolBody } from "../item/ToolBody";
import { humanWords } from "../item/toolWords";
import { ShowAll, useWhole } from "../whole";
import { usePlaced } from "./usePlaced";

type ViewOf<K extends ToolView["view"]> = Extract<ToolView, { view: K }>;

/** `edit` is the button that opens the input. */
export function Subject({ ask, edit }: { ask: PermissionAsk; edit: ReactNode }) {
  const { view } = ask;
  switch (view.view) {
    case "command":
      return <Command ask={ask} view={view} edit={edit} />;
    case "edit":
      return <Change ask={ask} view={view} edit={edit} />;
    case "notebook":
      return (
        <Well label="The cell" foot={<Note description={unless(ask.description, view.path)} edit={edit} />}>
          <ToolBody view={view} />
        </Well>
      );
    case "fetch":
      return (
        <Well
          label="The address"
          foot={<Note tool={ask.tool} description={view.prompt ?? ask.description} edit={edit} />}
        >
          <Address url={view.url} />
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
      return <Fields input={ask.input} foot={<Note tool={ask.tool} description={ask.description} edit={edit} />} />;
    default:
      return view satisfies never;
  }
}

/** Words that do not stand elsewhere already. */
function unless(words: string | undefined, shown: string): string | undefined {
  return words === shown ? undefined : words;
}

/** Which tool it is stands there only where the head does not say it: “Edit” beside “Edit input” reads like a second button. */
function Note({ tool, description, edit }: { tool?: string; description: string | undefined; edit: ReactNode }) {
  return (
    <div className="ask-note">
      {tool === undefined ? null : <code className="ask-tool">{tool}</code>}
      <span className="grow">{description}</span>
      {edit}
    </div>
  );
}

/** A well that scrolls when it is long; who uses the keyboard can get into it. Its foot stays. */
export function Well({ label, children, foot }: { label: string; children: ReactNode; foot?: ReactNode }) {
  return (
    <div className="well ask-well">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a pointer. */}
      <section className="ask-well-scroll" aria-label={label} tabIndex={0}>
        {children}
      </section>
      {foot}
    </div>
  );
}

/** What the lines alone do not say. */
const EVERYWHERE = {
  all: "Every occurrence in the file is replaced.",
  some: "Some of these edits replace every occurrence in the file.",
} as const satisfies Record<Everywhere, string>;

function Change({ ask, view, edit }: { ask: PermissionAsk; view: ViewOf<"edit">; edit: ReactNode }) {
  const diff = usePlaced(ask, view.diff);
  const description = unless(ask.description, diff.path);
  return (
    <Well label="The change" foot={<Note description={description} edit={edit} />}>
      {diff.everywhere === undefined ? null : <p className="hint">{EVERYWHERE[diff.everywhere]}</p>}
      <ToolBody view={{ ...view, diff }} />
    </Well>
  );
}

function Command(props: { ask: PermissionAsk; view: ViewOf<"command">; edit: ReactNode }) {
  const { view } = props;
  const folder = usePart("status").cwd;
  const whole = useWhole(view.command);
  const foot = (
    <div className="ask-note">
      {props.ask.tool === "Bash" ? null : <code className="ask-tool">{props.ask.tool}</code>}
      {folder === undefined ? null : (
        <span className="row ask-folder" title={folder}>
          <Icon name="folder" />
          <code className="cut-start">
            <bdi>{folder}</bdi>
          </code>
        </span>
      )}
      <span className="grow">{view.description ?? props.ask.description}</span>
      {view.background ? <span className="num">in the background</span> : null}
      {props.edit}
    </div>
  );
  return (
    <Well label="The command" foot={foot}>
      <code className="cmd">
        <span className="pr" aria-hidden="true">
          ${" "}
        </span>
        {whole.text}
      </code>
      <ShowAll whole={whole} />
    </Well>
  );
}

/** An address that can be opened, if it is one of the web and here to its end. */
export function Address({ url, isFirst = false }: { url: Clip; isFirst?: boolean }) {
  const whole = useWhole(url);
  const isWeb = /^https?:\/\//i.test(whole.text) && whole.more === undefined;
  const first = isFirst ? "" : undefined;
  return (
    <>
      <code className="cmd">
        {isWeb ? (
          <a className="link" href={whole.text} target="_blank" rel="noopener noreferrer" data-first={first}>
            {whole.text}
          </a>
        ) : (
          whole.text
        )}
      </code>
      <ShowAll whole={whole} />
    </>
  );
}

/** What a call is given, field by field. */
function Fields({ input, foot }: { input: Clip; foot: ReactNode }) {
  const whole = useWhole(input);
  const fields = fieldsOf(whole.text);
  return (
    <Well label="What it is given" foot={foot}>
      {fields === undefined ? (
        <pre>{whole.text}</pre>
      ) : fields.length === 0 ? (
        <p className="well-empty">Nothing</p>
      ) : (
        <dl className="ask-fields">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt title={name}>{humanWords(name)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ShowAll whole={whole} />
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
