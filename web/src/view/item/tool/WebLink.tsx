// An address as a link, if it is one that we follow; else as it was written.

import type { ReactNode } from "react";
import { safeHref } from "../../../markdown/links";
import { InRow } from "../inRow";

export function WebLink({ url, children }: { url: string; children?: ReactNode }) {
  const href = safeHref(url);
  if (href === undefined) return <code>{url}</code>;
  return (
    <InRow>
      {(tabIndex) => (
        <a className="web-link" href={href} title={href} target="_blank" rel="noopener noreferrer" tabIndex={tabIndex}>
          {children ?? href}
        </a>
      )}
    </InRow>
  );
}
