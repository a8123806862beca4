// An address as a link, if it is one that we follow; else as it was written.

import type { ReactNode } from "react";
import { safeHref } from "../../../markdown/links";
import { OuterLink } from "../../../markdown/OuterLink";

export function WebLink({ url, children }: { url: string; children?: ReactNode }) {
  const href = safeHref(url);
  if (href === undefined) return <code>{url}</code>;
  return (
    <OuterLink className="web-link" href={href}>
      {children ?? href}
    </OuterLink>
  );
}
