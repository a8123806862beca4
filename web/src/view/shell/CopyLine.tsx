// A line of text to be taken along.

import { useEffect, useState } from "react";
import { Icon } from "../Icon";

const SHOWN_MS = 2000;

export function CopyLine({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Where the browser has no clipboard for a page, the text can still be selected.
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <div className="copyline">
      <code>{text}</code>
      <button type="button" className="ibtn" aria-label={isCopied ? "Copied" : "Copy"} onClick={() => void copy()}>
        <Icon name={isCopied ? "check" : "copy"} />
      </button>
    </div>
  );
}
