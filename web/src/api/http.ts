// Requests to the server: a path and a body in, an answer or an error that says what to do out.

/** What the server says when something cannot be done. */
export class ApiError extends Error {
  constructor(
    /** What it is, for programs: `not_asked`, `not_running`, …; `offline` if the server could not be reached. */
    readonly code: string,
    message: string,
    readonly status: number,
    /** The field of the request that is not as it has to be, where the server knows which. */
    readonly field?: string,
    /** The session that it is about, where the request did not name one. */
    readonly session?: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** Where the API is, seen from the page, wherever a proxy has put that. */
export function apiUrl(path: string): URL {
  return new URL(`api/v1/${path}`, document.baseURI);
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

async function send(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, credentials: "same-origin", headers: { "x-quarterdeck": "1" } };
  if (method !== "GET") {
    init.headers = { "x-quarterdeck": "1", "content-type": "application/json" };
    init.body = JSON.stringify(body ?? {});
  }
  if (signal) init.signal = signal;
  let response: Response;
  try {
    response = await fetch(apiUrl(path), init);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError("offline", "The server cannot be reached. Nothing was lost; try again when it is back.", 0);
  }
  if (response.ok) return response;
  if (response.status === 401) onLoggedOut();
  throw await errorOf(response);
}

type Told = { code: string; message: string; field?: string; session?: string };

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: Told };
    return new ApiError(error.code, sentence(error.message), response.status, error.field, error.session);
  } catch {
    return new ApiError("internal", `The server answered with status ${response.status}.`, response.status);
  }
}

/** What to say of something that failed. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** The server writes its messages as parts of sentences. */
export function sentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

let loggedOut: () => void = () => {};

/** What is done when the server does not know us any more. */
export function whenLoggedOut(action: () => void): void {
  loggedOut = action;
}

function onLoggedOut(): void {
  loggedOut();
}

async function read<T>(response: Response): Promise<T> {
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read<T>(await send("GET", path, undefined, signal));
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await send("GET", path, undefined, signal)).text();
}

export async function post<T = void>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return read<T>(await send("POST", path, body, signal));
}

export async function put(path: string, body: unknown): Promise<void> {
  await send("PUT", path, body);
}

/** The same while the page goes away: nobody hears whether it worked. */
export function putLast(path: string, body: unknown): void {
  const headers = { "x-quarterdeck": "1", "content-type": "application/json" };
  const init = {
    method: "PUT",
    credentials: "same-origin",
    headers,
    body: JSON.stringify(body),
    keepalive: true,
  } as const;
  fetch(apiUrl(path), init).catch(() => {});
}

export async function patch(path: string, body: unknown): Promise<void> {
  await send("PATCH", path, body);
}

export async function remove(path: string): Promise<void> {
  await send("DELETE", path);
}

/** The path of something in a session. */
export function inSession(session: string, ...parts: (string | number)[]): string {
  return ["sessions", session, ...parts].map((part) => encodeURIComponent(part)).join("/");
}

/** A query, without what is not there. */
export function query(values: Record<string, string | number | boolean | undefined>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
