import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../src/api/http";
import { allCommands, fitting, ourCommand } from "../src/view/composer/commands";
import { Draft, PAUSE_MS } from "../src/view/composer/draft";
import { step } from "../src/view/composer/history";
import { beforeWhenDropped, beforeWhenShifted } from "../src/view/composer/order";
import { type Message, Outbox } from "../src/view/composer/outbox";
import { refusal, typeOf } from "../src/view/composer/pictures";
import { placeholder } from "../src/view/composer/placeholder";
import { commandOf, findTrigger, insertCommand, insertFile } from "../src/view/composer/trigger";

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

test("commands that begin with what was typed come first; ours take the place of the agent's", () => {
  const theirs = ["compact", "plugin:commit", "help", "security-review"].map((name) => ({
    name,
    description: "",
    argumentHint: "",
  }));
  const all = allCommands({ commands: theirs, terminalCommands: ["compact"] });
  expect(all.filter(({ name }) => name === "help")).toMatchObject([{ isOurs: true }]);
  expect(fitting(all, "com").map(({ name }) => name)).toEqual(["plugin:commit", "compact"]);
  expect(fitting(all, "rev").map(({ name }) => name)).toEqual(["security-review"]);
  expect(fitting(all, "zzz")).toEqual([]);
  expect(ourCommand("config")).toMatch(/settings/);
  expect(ourCommand("compact")).toBeUndefined();
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

test("the placeholder says what Enter does", () => {
  const turn = { startedAt: 0, fromSeq: 0, prompts: [], interrupting: false, calls: [] };
  expect(placeholder({ agent: "running", phase: "running", turn }, false)).toMatch(/Queue .* after this turn/);
  expect(placeholder({ agent: "running", phase: "idle" }, false)).toBe("Message the agent");
  expect(placeholder({ agent: "died", phase: "failed" }, false)).toMatch(/starts it again/);
});

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
afterEach(() => void vi.useRealTimers());

function draftWith(kept: string) {
  const saved: string[] = [];
  const last: string[] = [];
  const done: (() => void)[] = [];
  const draft = new Draft({
    load: async () => kept,
    save: (text) => {
      saved.push(text);
      return new Promise<void>((resolve) => done.push(resolve));
    },
    saveLast: (text) => void last.push(text),
  });
  const finish = async () => {
    done.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { draft, saved, last, finish };
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
  draft.sent();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual([]);
  draft.note("hello again");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  draft.hold("");
  draft.sent();
  await finish();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saved).toEqual(["hello again", ""]);
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
