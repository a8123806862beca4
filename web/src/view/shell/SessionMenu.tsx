// The menu of a session's row and of its header, made from the table of actions.

import type { ReactNode } from "react";
import { useSessionList, useSessions } from "../../store/use";
import { Icon } from "../Icon";
import { type SessionAction, sessionActions } from "../session/actions";
import { Menu, type MenuEntry, type MenuHandle, type MenuSection } from "./Menu";

type Props = {
  id: string;
  className: string;
  isTabStop?: boolean;
  handle?: React.Ref<MenuHandle>;
  /** Entries that stand before the common ones. */
  first?: readonly MenuEntry[];
  /** The title is changed in its place here, without a dialog. */
  onRename: () => void;
};

export function SessionMenu({ id, className, isTabStop, handle, first, onRename }: Props): ReactNode {
  const sessions = useSessions();
  useSessionList();
  const title = sessions.title(id) ?? "New session";
  return (
    <Menu
      label={`Actions for ${title}`}
      title="More"
      isIcon
      className={className}
      button={<Icon name="more" />}
      {...(isTabStop === undefined ? {} : { isTabStop })}
      {...(handle === undefined ? {} : { handle })}
      sections={sectionsOf(sessionActions(sessions, id), first ?? [], onRename)}
    />
  );
}

function sectionsOf(
  actions: readonly SessionAction[],
  first: readonly MenuEntry[],
  onRename: () => void,
): MenuSection[] {
  const parts = new Map<string, MenuEntry[]>();
  for (const { id, part, run, ...words } of actions) {
    const entries = parts.get(part) ?? [];
    parts.set(part, [...entries, { ...words, choose: id === "rename" ? onRename : run }]);
  }
  return [first, ...parts.values()].filter((entries) => entries.length > 0).map((entries) => ({ entries }));
}
