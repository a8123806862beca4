// Puts a text on the clipboard, and says for a moment that it did.

import { useEffect, useState } from "react";
import { Icon } from "../Icon";
import { Press } from "./inRow";

export function CopyButton({ text, what }: { text: string | (() => Promise<string>); what: string }) {
  const [state, setState] = useState<"" | "Copied" | "Not copied">("");
  useEffect(() => {
    if (state === "") return;
    const timer = setTimeout(() => setState(""), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setState("Copied");
    } catch {
      setState("Not copied");
    }
  };
  return (
    <Press className="ibtn sm" aria-label={state || `Copy ${what}`} title={state || `Copy ${what}`} onClick={copy}>
      <Icon name={state === "Copied" ? "check" : state === "" ? "copy" : "x"} />
    </Press>
  );
}
