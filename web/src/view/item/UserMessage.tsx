// What was said to the agent: by a person, by another agent, by the system, or the mark that an interrupt leaves.

import type { ReactNode } from "react";
import type { Item, UserItem } from "../../generated";
import { useSession, useSocket } from "../../store/use";
import { Icon } from "../Icon";
import { fetchWhole, ShowAll, useWhole } from "../whole";
import { clock, exactly } from "../words";
import { CopyButton } from "./CopyButton";
import { useOpen } from "./open";
import { Pictures } from "./Pictures";
import { RawButton } from "./Raw";
import { Step } from "./Step";

export function UserMessage({ item, user }: { item: Item; user: UserItem }) {
  switch (user.role) {
    case "person":
      return <Person item={item} user={user} />;
    case "interrupt":
      return (
        <p className="mark-line">
          <Icon name="stop" />
          Interrupted, {clock(item.at)}
        </p>
      );
    case "agent":
      return <Other item={item} user={user} verb="Told by another agent" />;
    case "system":
      return <Other item={item} user={user} verb="Told by the system" />;
    default:
      return user.role satisfies never;
  }
}

function Person({ item, user }: { item: Item; user: UserItem }) {
  const session = useSession();
  const me = useSocket().device();
  const whole = useWhole(user.text);
  const copy = async () => (user.text.more ? fetchWhole(session.id, user.text.more) : user.text.text);
  return (
    <div className="you">
      <div className="you-in">
        <span className="vh">You said</span>
        {whole.text === "" ? null : <p className="as-written">{withCode(whole.text)}</p>}
        <ShowAll whole={whole} />
        <Pictures images={user.images} />
      </div>
      <span className="you-side">
        <span className="you-acts">
          <CopyButton text={copy} what="message" />
          <RawButton item={item} />
        </span>
        {user.by === undefined || user.by === me || user.by === "you" ? null : (
          <span className="cut by">{user.by}</span>
        )}
        <time title={exactly(item.at)}>{clock(item.at)}</time>
      </span>
    </div>
  );
}

/** What a person wrote is shown as it was written; only what stands between backticks looks like code. */
function withCode(text: string): ReactNode[] {
  return (
    text
      .split(/(`[^`\n]+`)/)
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
      .map((part, at) => (at % 2 === 1 ? <code key={at}>{part.slice(1, -1)}</code> : part))
  );
}

function Other({ item, user, verb }: { item: Item; user: UserItem; verb: string }) {
  const whole = useWhole(user.text);
  const [isOpen, toggle] = useOpen(item.id, false);
  return (
    <Step
      icon="message"
      verb={verb}
      object={{ text: user.text.text.trim().split("\n")[0] ?? "", isCode: false, isPath: false }}
      isQuiet
      meta={<span className="num">{clock(item.at)}</span>}
      isOpen={isOpen}
      onToggle={toggle}
    >
      {isOpen ? (
        <div className="thought">
          <p className="as-written">{whole.text.trim()}</p>
          <ShowAll whole={whole} />
          <Pictures images={user.images} />
        </div>
      ) : null}
    </Step>
  );
}
