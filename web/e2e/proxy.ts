// A page that was built a moment ago, in front of a server that was built before: for whoever works on the page and does not want
// to build the server each time. `QUARTERDECK_E2E_PAGE` names the folder (`web/dist`); without it nothing stands between.

import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { extname, join } from "node:path";

const MEDIA: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** One for each server, as long as the tests run. */
const proxies = new Map<string, Promise<number>>();

/** The address that has the page of the folder, if there is one. */
export async function withPage(url: string): Promise<string> {
  const folder = process.env.QUARTERDECK_E2E_PAGE;
  if (folder === undefined) return url;
  const there = new URL(url);
  const port = proxies.get(there.port) ?? start(folder, Number(there.port));
  proxies.set(there.port, port);
  there.port = String(await port);
  return there.href;
}

function start(folder: string, target: number): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url?.split("?")[0] ?? "/";
    const file = path === "/" ? "index.html" : path.startsWith("/page/") ? path : undefined;
    const upstream = request({ ...passed(incoming, target), host: "127.0.0.1", port: target }, (answer) => {
      const status = answer.statusCode ?? 502;
      const own = file === undefined ? undefined : join(folder, file);
      // Whoever is not logged in gets the server's own page at `/`.
      if (own !== undefined && existsSync(own) && (path !== "/" || status === 200)) {
        const { "content-length": _, "content-encoding": __, "transfer-encoding": ___, ...headers } = answer.headers;
        answer.resume();
        outgoing.writeHead(200, { ...headers, "content-type": MEDIA[extname(own)] ?? "application/octet-stream" });
        outgoing.end(readFileSync(own));
        return;
      }
      outgoing.writeHead(status, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  server.on("upgrade", (incoming, socket, head) => {
    const upstream = connect(target, "127.0.0.1", () => {
      const { method, path, headers } = passed(incoming, target);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      upstream.write([`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    upstream.on("close", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  server.unref();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** A request as it is made of the server itself. */
function passed(incoming: IncomingMessage, target: number) {
  const headers: IncomingHttpHeaders = { ...incoming.headers, host: `127.0.0.1:${target}` };
  if (headers.origin !== undefined) headers.origin = `http://127.0.0.1:${target}`;
  return { method: incoming.method ?? "GET", path: incoming.url ?? "/", headers };
}
