import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../src/api/http";
import { allCommands, fitting, isCalled, ourCommand } from "../src/view/composer/commands";
import { Desk } from "../src/view/composer/desk";
import { Draft, PAUSE_MS } from "../src/view/composer/draft";
import { step } from "../src/view/composer/history";
import { beforeWhenDropped, beforeWhenShifted } from "../src/view/composer/order";
import { type Message, Outbox } from "../src/view/composer/outbox";
import { filesMeant } from "../src/view/composer/pasted";
import { refusal, typeOf } from "../src/view/composer/pictures";
import { placeholder } from "../src/view/composer/placeholder";
import { commandOf, findTrigger, insertCommand, insertFile, mayFit } from "../src/view/composer/trigger";

/** The caret is where the bar stands. */
function trigger(text: string) {
  const caret = text.indexOf("|");
  const plain = text.replace("|", "");
  return { plain, found: findTrigger(plain, caret) };
}

function withChoice(text: string, choice: string): string {
  const { plain, found } = trigger(text);
  if (!found) return "nothing to choose";
  const made = found.kind === "file" ? insertFile(plain, found, choice) : insertCommand(plain, found, choice);
  return `${made.text.slice(0, made.caret)}|${made.text.slice(made.caret)}`;
}

test("a command is what stands first, a file is what follows an @ that begins a word", () => {
  expect(trigger("/com|").found).toMatchObject({ kind: "command", query: "com" });
  expect(trigger("/|").found).toMatchObject({ kind: "command", query: "" });
  expect(trigger("see @src/ma|in.rs now").found).toMatchObject({ kind: "file", query: "src/ma", from: 4, to: 16 });
  expect(trigger('see @"my f|ile.md" now').found).toMatchObject({ kind: "file", query: "my f", from: 4, to: 17 });
  for (const none of ["ana@example|", "/usr/bin|", "run /com|", "/compact no|w", "|@a", "@a b|"]) {
    expect(trigger(none).found, none).toBeUndefined();
  }
});

test("a choice takes the place of what was typed, and the caret goes behind it", () => {
  expect(withChoice("see @ma|xx now", "src/main.rs")).toBe("see @src/main.rs |now");
  expect(withChoice("@s|", "src/")).toBe("@src/|");
  expect(withChoice("@m|", "my file.md")).toBe('@"my file.md" |');
  expect(withChoice('see @"my| x', "my files/")).toBe('see @"my files/|" x');
  expect(withChoice("/com|", "compact")).toBe("/compact |");
  expect([commandOf("/compact now"), commandOf("/usr/bin"), commandOf("a /b")]).toEqual([
    "compact",
    undefined,
    undefined,
  ]);
});

test("what was found for fewer letters is offered while it may still fit", () => {
  const paths = ["src/main.rs", "a name with spaces.md", "Makefile"];
  const left = (query: string) => paths.filter((path) => mayFit(path, query));
  expect(left("")).toEqual(paths);
  expect(left("ma")).toEqual(paths);
  expect(left("mai")).toEqual(["src/main.rs", "Makefile"]);
  expect(left("MAKE")).toEqual(["Makefile"]);
  expect(left("nowhere")).toEqual([]);
});

test("commands that begin with what was typed come first; ours take the place of the agent's", () => {
  const theirs = ["compact", "plugin:commit", "help", "security-review"].map((name) => ({
    name,
    description: "",
    argumentHint: "",
    aliases: [],
  }));
  const all = allCommands({ commands: theirs, terminalCommands: ["compact"] });
  expect(all.filter(({ name }) => name === "help")).toMatchObject([{ isOurs: true }]);
  expect(fitting(all, "com").map(({ name }) => name)).toEqual(["plugin:commit", "compact"]);
  expect(fitting(all, "rev").map(({ name }) => name)).toEqual(["security-review"]);
  expect(fitting(all, "zzz")).toEqual([]);
  const usage = [{ name: "usage", description: "", argumentHint: "", aliases: ["cost"] }];
  const known = allCommands({ commands: usage, terminalCommands: [] });
  expect(fitting(known, "cost").map(({ name }) => name)).toEqual(["usage"]);
  // By another name it is called at once; half a name is still to be chosen.
  const [found] = fitting(known, "cost");
  expect(["/cost", "/usage ", "/cos", "/cost now"].map((text) => found && isCalled(found, text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("what the agent has no use for opens a panel; what it can do is sent to it", () => {
  const command = (name: string) => ({ name, description: "", argumentHint: "" });
  const old = { commands: ["compact", "context", "cost"].map(command), terminalCommands: [] };
  const newest = catalogOf("2.1.326");
  const panel = (name: string) => ({ opens: "panel", panel: name });
  expect(newest.commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["model", "mcp", "config"]));
  for (const catalog of [old, newest]) {
    expect(ourCommand("/config", catalog)).toEqual(panel("session"));
    expect(ourCommand("/help me", catalog)).toEqual(panel("help"));
    const named = {
      ...catalog,
      commands: [{ name: "config", description: "", argumentHint: "", aliases: ["settings"] }],
    };
    expect(ourCommand("/settings", named)).toEqual(panel("session"));
    expect(ourCommand("/keybindings-help", catalog)).toEqual(panel("keys"));
    expect(ourCommand("/fast", catalog)).toEqual(panel("session"));
    expect(ourCommand("/fast on", catalog)).toEqual({ opens: "nothing", settings: { fast: true } });
    expect(ourCommand("/mcp", catalog)).toEqual({ opens: "inspector", tab: "mcp" });
    // Alone, the agent would only write how they are used.
    for (const name of ["model", "effort", "output-style"])
      expect(ourCommand(`/${name}`, catalog)).toEqual(panel("session"));
    expect(ourCommand("/agents ", catalog)).toEqual(panel("help"));
    for (const name of ["compact", "context", "cost"]) expect(ourCommand(`/${name}`, catalog)).toBeUndefined();
  }
  expect(ourCommand("/model opus", old)).toEqual({ opens: "nothing", settings: { model: "opus" } });
  expect(ourCommand("/settings", old)).toBeUndefined();
  for (const words of ["/model opus", "/mcp reconnect all", "/effort low", "/output-style default", "/clear"])
    expect(ourCommand(words, newest)).toBeUndefined();
  expect(allCommands(newest).find(({ name }) => name === "model")).toMatchObject({ isOurs: false });
  expect(ourCommand("/config key=value", newest)).toBeUndefined();
  expect(ourCommand("/permissions", newest)).toEqual({ opens: "inspector", tab: "rules" });
  expect(ourCommand("say /help", newest)).toBeUndefined();
});

test("Up goes back through earlier prompts, Down forward, and at the end is what one had written", () => {
  const earlier = ["first", "second"];
  const one = step(earlier, undefined, 1, "own");
  expect(one).toMatchObject({ text: "second" });
  const two = step(earlier, one?.walk, 1, "second");
  expect(two).toMatchObject({ text: "first" });
  expect(step(earlier, two?.walk, 1, "first")).toBeUndefined();
  expect(step(earlier, two?.walk, -1, "first")).toMatchObject({ text: "second" });
  expect(step(earlier, one?.walk, -1, "second")).toEqual({ text: "own", walk: undefined });
  expect(step(earlier, undefined, -1, "own")).toBeUndefined();
});

test("a queued message moves to where it is dropped, or one place with a key", () => {
  const order = ["a", "b", "c"];
  expect(beforeWhenDropped(order, "a", "b")).toBe("c");
  expect(beforeWhenDropped(order, "a", "c")).toBeUndefined();
  expect(beforeWhenDropped(order, "c", "a")).toBe("a");
  expect(beforeWhenShifted(order, "a", -1)).toBeUndefined();
  expect(beforeWhenShifted(order, "b", -1)).toEqual({ before: "a" });
  expect(beforeWhenShifted(order, "a", 1)).toEqual({ before: "c" });
  expect(beforeWhenShifted(order, "b", 1)).toEqual({ before: undefined });
});

test("a picture is known by its bytes, and what is none or too large is refused in words", () => {
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  expect(typeOf(bytes("\x89PNG\r\n"))).toBe("image/png");
  expect(typeOf(bytes("\xff\xd8\xff\xe0"))).toBe("image/jpeg");
  expect(typeOf(bytes("GIF89a"))).toBe("image/gif");
  expect(typeOf(bytes("RIFF1234WEBPVP8"))).toBe("image/webp");
  expect(typeOf(bytes("RIFF1234WAVE"))).toBeUndefined();
  expect(refusal("a.svg", 10, undefined, 0)).toMatch(/a\.svg is no PNG/);
  expect(refusal("a.png", 5 * 1024 * 1024 + 1, "image/png", 0)).toMatch(/at most 5 MB/);
  expect(refusal("a.png", 5 * 1024 * 1024, "image/png", 26 * 1024 * 1024)).toMatch(/30 MB in all/);
  expect(refusal("a.png", 5 * 1024 * 1024, "image/png", 0)).toBeUndefined();
});

test("of words that come with a picture of themselves the words are meant, of a file that comes with its name the file", () => {
  const meant = (text: string, ...names: string[]) => {
    const files = names.map((name) => new File(["x"], name));
    return filesMeant({ files, getData: (type) => (type === "text/plain" ? text : "") }).map(({ name }) => name);
  };
  expect(meant("Sea\t1\r\nSky\t2\r\n", "image.png")).toEqual([]);
  expect(meant("", "image.png")).toEqual(["image.png"]);
  expect(meant("the sea.png", "the sea.png")).toEqual(["the sea.png"]);
  expect(meant("/home/ana/sea.png\n/home/ana/sky.png", "sea.png", "sky.png")).toEqual(["sea.png", "sky.png"]);
  expect(meant("file:///home/ana/the%20sea.png", "the sea.png")).toEqual(["the sea.png"]);
  expect(meant("Look at\nsea.png", "sea.png")).toEqual([]);
  expect(meant("words alone")).toEqual([]);
});

test("the placeholder says what Enter does", () => {
  const turn = { startedAt: 0, fromSeq: 0, prompts: [], interrupting: false, calls: [] };
  expect(placeholder({ agent: "running", phase: "running", turn }, false)).toMatch(/Queue .* after this turn/);
  expect(placeholder({ agent: "running", phase: "idle" }, false)).toBe("Message the agent");
  expect(placeholder({ agent: "died", phase: "failed" }, false)).toMatch(/starts it again/);
});

/** What the CLI of a version said about its commands. */
function catalogOf(version: string) {
  const file = new URL(`../../fixtures/cli/${version}/plain-text-initialize.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  // biome-ignore lint/suspicious/noExplicitAny: lines of all kinds.
  const said = lines.map((line) => JSON.parse(line).line as any);
  const commands = said.find((line) => line?.response?.response?.commands).response.response.commands;
  const terminalCommands = said.find((line) => line?.subtype === "init").terminal_slash_commands ?? [];
  return { commands, terminalCommands } as Parameters<typeof ourCommand>[1];
}

const message = (id: string): Message => ({ id, text: id, pictures: [], delivery: "steer" });

test("messages go one after the other; what failed stays, and goes again under its own id", async () => {
  const tried: string[] = [];
  let isDown = true;
  const taken: string[] = [];
  const outbox = new Outbox(
    {
      send: async ({ id }) => {
        tried.push(id);
        if (id === "a" && isDown) throw new ApiError("offline", "not there", 0);
        return { isHeld: false };
      },
    },
    () => {},
    ({ id }) => taken.push(id),
  );
  await Promise.all([outbox.add(message("a")), outbox.add(message("b"))]);
  expect(tried).toEqual(["a", "b"]);
  expect(outbox.all()).toMatchObject([{ id: "a", trouble: { code: "offline" } }]);
  isDown = false;
  await outbox.retry("a");
  expect(tried).toEqual(["a", "b", "a"]);
  expect(taken).toEqual(["b", "a"]);
  expect(outbox.all()).toEqual([]);
});

test("what is on its way cannot be taken out, what failed can", async () => {
  let fail: (cause: Error) => void = () => {};
  const post = { send: () => new Promise<never>((_, reject) => (fail = reject)) };
  const outbox = new Outbox(
    post,
    () => {},
    () => {},
  );
  const sending = outbox.add(message("a"));
  await Promise.resolve();
  expect(outbox.take("a")).toBeUndefined();
  fail(new Error("no"));
  await sending;
  expect(outbox.take("a")).toMatchObject({ text: "a" });
  expect(outbox.all()).toEqual([]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function draftWith(kept: string, left?: string) {
  const saved: string[] = [];
  const last: string[] = [];
  const done: (() => void)[] = [];
  const tab = { left };
  const draft = new Draft({
    load: async () => kept,
    save: (text) => {
      saved.push(text);
      return new Promise<void>((resolve) => done.push(resolve));
    },
    saveLast: (text) => void last.push(text),
    leave: (text) => {
      tab.left = text;
    },
    left: () => tab.left,
  });
  const finish = async () => {
    done.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { draft, saved, last, finish, tab };
}

test("a draft is saved after a pause, once, and not when it is as it was", async () => {
  const { draft, saved, finish } = draftWith("old");
  expect(await draft.load()).toBe("old");
  draft.note("old");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  draft.note("o");
  draft.note("other");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual(["other"]);
  draft.note("others");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved, "one at a time").toEqual(["other"]);
  await finish();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual(["other", "others"]);
});

test("a draft that was sent is not saved again, but a save that was on its way is undone", async () => {
  const { draft, saved, finish } = draftWith("");
  draft.note("hello");
  draft.hold("");
  draft.sent("hello");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual([]);
  draft.note("hello again");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  draft.hold("");
  draft.sent("hello again");
  await finish();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual(["hello again", ""]);
});

test("a save that the server may have had after the message is undone", async () => {
  const { draft, saved, finish } = draftWith("");
  draft.note("go");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  draft.hold("");
  // Its answer comes first, which says nothing of the order in which the two came there.
  await finish();
  draft.sent("go");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual(["go", ""]);
});

test("a message names the draft that it was, unless some of that is to be kept", async () => {
  const { draft, saved } = draftWith("fix the");
  await draft.load();
  draft.note("fix the bug");
  draft.hold("");
  expect(draft.sending()).toBe("fix the");
  draft.sent("fix the bug");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved, "the server has forgotten it").toEqual([]);
  draft.note("Then");
  draft.hold("");
  expect(draft.sending(), "nothing of it is kept yet").toBeUndefined();
  draft.hold("typed meanwhile");
  expect(draft.sending()).toBeUndefined();
  draft.sent("Then");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual(["typed meanwhile"]);
});

test("when the page goes, what is not saved yet is sent along", async () => {
  const { draft, saved, last } = draftWith("");
  draft.flushLast();
  expect(last).toEqual([]);
  draft.note("unsaved");
  draft.flushLast();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect([last, saved]).toEqual([["unsaved"], []]);
});

test("a page that is there before its last words are on the server has them all the same, and saves them", async () => {
  const before = draftWith("");
  before.draft.note("half a thought");
  before.draft.flushLast();
  expect(before.tab.left).toBe("half a thought");
  const { draft, saved, finish, tab } = draftWith("half", before.tab.left);
  expect(await draft.load()).toBe("half a thought");
  draft.note("half a thought");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  await finish();
  expect([saved, tab.left]).toEqual([["half a thought"], undefined]);
});

test("a draft that is no part of what was sent is taken away", async () => {
  const { draft, saved, tab } = draftWith("Look at @main", "Look at @main");
  await draft.load();
  draft.hold("");
  draft.sent("Begin");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect([saved, tab.left]).toEqual([[""], undefined]);
});

/** A desk whose server takes no message. */
function deskWithout(session: string): Desk {
  vi.stubGlobal("document", { baseURI: "http://here/" });
  vi.stubGlobal("fetch", async (url: URL) => {
    if (url.pathname.endsWith("/messages")) throw new TypeError("not there");
    return Response.json({ text: "" });
  });
  return new Desk(session);
}

test("a command that is chosen elsewhere does not take the place of what was written", () => {
  const desk = deskWithout("a");
  desk.write("the lexer, please");
  desk.callCommand("review");
  expect(desk.text()).toBe("/review the lexer, please");
  // Two commands are none; the first one is not lost.
  desk.callCommand("compact");
  expect([desk.text(), desk.cleared()]).toEqual(["/compact ", ["/review the lexer, please"]]);
});

/** Reads a file as a browser does. */
class Reader {
  readonly result = "data:,x";
  onload = (): void => {};
  readAsDataURL(): void {
    this.onload();
  }
}

const png = (name: string) => new File([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])], name);

test("a picture that the server does not keep is told of, and stays with the message", async () => {
  vi.stubGlobal("FileReader", Reader);
  vi.stubGlobal("document", { baseURI: "http://127.0.0.1/" });
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: URL, { method }: RequestInit) => {
    asked.push(`${method} ${url.pathname.split("/").slice(5, 7).join("/")}`);
    if (!url.pathname.includes("/pictures/")) return Response.json({ text: "" });
    const error = { code: "too_large", message: "the pictures of a message may have 30 MB in all" };
    return Response.json({ error }, { status: 413 });
  });
  const desk = new Desk("large");
  await desk.attach([png("sea.png")], () => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toContain("PUT draft/pictures");
  expect(desk.refusal()).toMatch(
    /^sea\.png goes with the message, but .* cannot be kept\. The pictures .* 30 MB in all\.$/,
  );
  expect([desk.pictures().length, desk.arePicturesKept()]).toEqual([1, false]);
});

test("what could not be sent goes into a fork with its pictures", async () => {
  const [desk, fork] = [deskWithout("a"), deskWithout("b")];
  vi.stubGlobal("FileReader", Reader);
  await desk.attach([png("a.png")], () => {});
  desk.write("Look at this");
  desk.send("steer");
  await vi.advanceTimersByTimeAsync(0);
  const [message] = desk.outbox.all();
  expect(message).toMatchObject({ text: "Look at this", trouble: { code: "offline" } });
  desk.takeBack(message?.id ?? "", fork);
  expect([fork.text(), fork.pictures().length]).toEqual(["Look at this", 1]);
  expect([desk.text(), desk.pictures().length, desk.outbox.all().length]).toEqual(["", 0, 0]);
});

test("what is typed to change a message that went meanwhile is put to where one writes", () => {
  const desk = deskWithout("a");
  desk.write("and more");
  desk.edit("one", "Run it", "Run it");
  desk.edit("one", "Run it", "Run it twice");
  desk.edit("two", "Look", "Look");
  expect(desk.keepEdits(["one", "two"])).toBe(false);
  expect(desk.edited("one")).toBe("Run it twice");
  expect(desk.keepEdits([])).toBe(true);
  // What nobody has changed is lost to nobody.
  expect(desk.text()).toBe("Run it twice\n\nand more");
  expect(desk.refusal()).toMatch(/^The message was gone/);
  expect([desk.edited("one"), desk.edited("two")]).toEqual([undefined, undefined]);
});
