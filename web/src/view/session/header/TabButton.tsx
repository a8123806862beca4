// A figure in the header: pressed, it opens the tab of the inspector that says what is behind it; pressed again, it closes it.

import type { ReactNode } from "react";
import { useSession } from "../../../store/use";
import { closeInspector, openTab, useShownTab } from "../../inspector/shown";
import type { Tab } from "../../inspector/tabs";

export function TabButton({
  tab,
  title,
  className,
  children,
}: {
  tab: Tab;
  title: string;
  className: string;
  children: ReactNode;
}) {
  const { id } = useSession();
  const isShown = useShownTab() === tab;
  return (
    <button
      type="button"
      className={className}
      title={title}
      aria-expanded={isShown}
      aria-controls={isShown ? "inspector" : undefined}
      onClick={() => (isShown ? closeInspector(id) : openTab(id, tab))}
    >
      {children}
    </button>
  );
}
