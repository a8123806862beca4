// A link that leads out of this page. Its words are somebody else's and may say anything, so what a click shows first is the whole
// address; only where the words are the address itself does it lead there at once.

import type { MouseEvent, ReactNode } from "react";
import { InRow } from "../view/item/inRow";
import { askToLeave } from "../view/shell/leaving";

type OuterLinkProps = {
  /** One that `safeHref` gave. */
  href: string;
  className?: string;
  children: ReactNode;
};

export function OuterLink({ href, className, children }: OuterLinkProps) {
  const ask = (event: MouseEvent<HTMLAnchorElement>) => {
    const words = event.currentTarget.textContent;
    if (words === href || `${words}/` === href) return;
    event.preventDefault();
    askToLeave(href);
  };
  return (
    <InRow>
      {(tabIndex) => (
        <a
          className={className}
          href={href}
          title={href}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={tabIndex}
          onClick={ask}
          onAuxClick={(event) => event.button === 1 && ask(event)}
        >
          {children}
        </a>
      )}
    </InRow>
  );
}
