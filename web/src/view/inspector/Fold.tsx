// A heading that opens what stands below it. What the reader chose is kept as long as the page.

import type { ReactNode } from "react";
import { Icon } from "../Icon";
import { useOpen } from "../item/open";

type Props = {
  /** Under which name it is kept whether it is open. */
  id: string;
  title: ReactNode;
  /** At the right. */
  meta?: ReactNode;
  /** Beside it: what can be done. */
  actions?: ReactNode;
  isOpenByItself?: boolean;
  className?: string;
  children: ReactNode;
};

export function Fold({ id, title, meta, actions, isOpenByItself = false, className = "", children }: Props) {
  const [isOpen, toggle] = useOpen(`inspector:${id}`, isOpenByItself);
  return (
    <div className={`pane-fold ${className}`}>
      <div className="pane-fold-row">
        <button type="button" className="pane-fold-head" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? "down" : "right"} />
          <span className="pane-fold-title">{title}</span>
          {meta === undefined ? null : <span className="pane-fold-meta num">{meta}</span>}
        </button>
        {actions}
      </div>
      {isOpen ? <div className="pane-fold-body">{children}</div> : null}
    </div>
  );
}
