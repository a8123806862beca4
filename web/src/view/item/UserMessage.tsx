// What was said to the agent: by a person, by another agent, by the system, or the mark that an interrupt leaves.

import type { ReactNode } from "react";
import type { ImageRef, Item, UserItem } from "../../generated";
import { useSession, useSocket } from "../../store/use";
import { Icon } from "../Icon";
import { askAbout } from "../session/asked";
import { fetchWhole, ShowAll, useWhole } from "../whole";
import { clock, exactly } from "../words";
import { CopyButton } from "./CopyButton";
import { Press } from "./inRow";
import { useOpen } from "./open";
import { MorePictures, Pictures } from "./Pictures";
import { piecesOf } from "./pieces";
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
        <Pieces text={whole.text} images={user.images} draw={withCode} />
        <MorePictures count={user.moreImages} />
        <ShowAll whole={whole} />
      </div>
      <span className="you-side">
        <span className="you-acts">
          {item.uuid === undefined ? null : <Ways session={session.id} item={item.id} />}
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

/** Words and pictures in the order in which they were said. */
function Pieces(props: { text: string; images: readonly ImageRef[]; draw: (text: string) => ReactNode }) {
  return piecesOf(props.text, props.images).map((piece, at) =>
    piece.kind === "pictures" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not move.
      <Pictures key={at} images={piece.images} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not move.
      <p key={at} className="as-written">
        {props.draw(piece.text)}
      </p>
    ),
  );
}

/** Another way from here, or files as they were then. */
function Ways({ session, item }: { session: string; item: string }) {
  return (
    <>
      <Press
        className="ibtn sm"
        aria-label="Fork from here"
        title="Fork from here"
        onClick={() => askAbout({ kind: "fork", id: session, item })}
      >
        <Icon name="branch" />
      </Press>
      <Press
        className="ibtn sm"
        aria-label="Put files back to before this"
        title="Put files back to before this"
        onClick={() => askAbout({ kind: "rewind", id: session, item })}
      >
        <Icon name="rewind" />
      </Press>
    </>
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
          <Pieces text={whole.text.trim()} images={user.images} draw={(text) => text} />
          <ShowAll whole={whole} />
        </div>
      ) : null}
    </Step>
  );
}
