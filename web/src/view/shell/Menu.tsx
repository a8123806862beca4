// A button with a menu: sections of entries go in, the one that is chosen does what it does. One tab stop; arrow keys, Home,
// End and first letters move; Escape closes. Made on the native popover.

import { type KeyboardEvent, type ReactNode, useId, useImperativeHandle } from "react";
import { Icon, type IconName } from "../Icon";
import { usePopover } from "./usePopover";

export type MenuEntry = {
  label: string;
  /** A second line that says more. */
  hint?: string;
  icon?: IconName;
  /** One of several; the section is a choice then. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  choose: () => void;
};

export type MenuSection = { heading?: string; entries: readonly MenuEntry[] };

/** Opens it from elsewhere: a key, a click with the other button. */
export type MenuHandle = { open(): void };

type Props = {
  /** What the menu is called; also the button's name if it shows none. */
  label: string;
  button: ReactNode;
  className?: string;
  title?: string;
  /** Does the button show nothing but an icon? */
  isIcon?: boolean;
  isTabStop?: boolean;
  disabled?: boolean;
  sections: readonly MenuSection[];
  handle?: React.Ref<MenuHandle>;
};

export function Menu({ label, button, className, title, isIcon, isTabStop, disabled, sections, handle }: Props) {
  const floating = usePopover(focusFirst);
  const { isOpen, close, panel } = floating;
  useImperativeHandle(handle, () => ({ open: () => panel.ref.current?.showPopover() }), [panel.ref]);
  return (
    <>
      <button
        {...floating.button}
        className={className}
        aria-haspopup="menu"
        aria-label={isIcon ? label : undefined}
        title={title ?? (isIcon ? label : undefined)}
        tabIndex={isTabStop === false ? -1 : undefined}
        disabled={disabled}
      >
        {button}
      </button>
      <div {...panel} role="menu" aria-label={label} className="pop menu" onKeyDown={(event) => moved(event, close)}>
        {isOpen ? sections.map((section) => <Section key={keyOf(section)} section={section} close={close} />) : null}
      </div>
    </>
  );
}

const keyOf = (section: MenuSection): string => section.heading ?? section.entries[0]?.label ?? "";

function Section({ section, close }: { section: MenuSection; close: () => void }) {
  const headingId = useId();
  const heading = section.heading;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
    <div role="group" className="menu-part" aria-labelledby={heading === undefined ? undefined : headingId}>
      {heading === undefined ? null : (
        <div id={headingId} className="menu-heading" role="presentation">
          {heading}
        </div>
      )}
      {section.entries.map((entry) => (
        <Entry key={entry.label} entry={entry} close={close} />
      ))}
    </div>
  );
}

function Entry({ entry, close }: { entry: MenuEntry; close: () => void }) {
  const { label, hint, icon, checked, danger, disabled, choose } = entry;
  const role = checked === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": checked };
  return (
    <button
      type="button"
      {...role}
      tabIndex={-1}
      className={danger ? "menu-entry danger" : "menu-entry"}
      aria-disabled={disabled}
      onClick={() => {
        if (disabled) return;
        close();
        choose();
      }}
    >
      <span className="menu-mark">
        {checked ? <Icon name="check" /> : icon === undefined ? null : <Icon name={icon} />}
      </span>
      <span>{label}</span>
      {hint === undefined ? null : <span className="menu-hint">{hint}</span>}
    </button>
  );
}

function entriesOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(".menu-entry")];
}

/** What is chosen, or the first. */
function focusFirst(menu: HTMLElement): void {
  const entries = entriesOf(menu);
  (entries.find((entry) => entry.ariaChecked === "true") ?? entries[0])?.focus();
}

function moved(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const entries = entriesOf(event.currentTarget);
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const to = target(event.key, at, entries);
  // What is pressed in a menu means nothing to what lies below it.
  event.stopPropagation();
  // Enter and Space press the entry by themselves.
  if (event.key === "Enter" || event.key === " ") return;
  if (to !== undefined) entries[to]?.focus();
  else if (event.key === "Escape" || event.key === "Tab") close();
  else return;
  event.preventDefault();
}

function target(key: string, at: number, entries: HTMLElement[]): number | undefined {
  const count = entries.length;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default: {
      if (key.length !== 1 || key === " ") return undefined;
      const order = entries.map((_, offset) => (at + 1 + offset) % count);
      return order.find((index) => entries[index]?.textContent?.toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}
