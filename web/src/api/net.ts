// What the socket needs of the browser: tickets, connections, the clock, and whether this page is still the server's.

import { apiUrl, post } from "./http";

/** What a socket is made with; another one in tests. */
export interface Net {
  ticket(signal: AbortSignal): Promise<string>;
  open(ticket: string): WebSocket;
  /** Does the server still give out the page that runs here? */
  isPageCurrent(): Promise<boolean>;
  now(): number;
}

/** The real one. */
export const browser: Net = {
  ticket: async (signal) => (await post<{ ticket: string }>("socket-tickets", {}, signal)).ticket,
  open: (ticket) => {
    const url = apiUrl("socket");
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("ticket", ticket);
    return new WebSocket(url);
  },
  isPageCurrent: async () => {
    const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src.split("/").at(-1);
    const page = await fetch(document.baseURI, { credentials: "same-origin", cache: "no-store" });
    // Who is asked to log in has got another page, which says nothing about this one.
    return script === undefined || !page.ok || (await page.text()).includes(script);
  },
  now: () => Date.now(),
};
