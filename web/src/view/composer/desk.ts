// What one session's composer holds: words, pictures, messages on their way. It outlives the view, so that going elsewhere and
// coming back loses nothing.

import { get, inSession, post, put, putLast, remove } from "../../api/http";
import { newId } from "../../api/ids";
import { leaveText, takeText } from "../../store/browser";
import { Draft } from "./draft";
import { DraftPictures } from "./draftPictures";
import { joined, nextNumber, placeOf, removeMark, type Typed } from "./marks";
import { type Delivery, type Message, Outbox, troubleOf } from "./outbox";
import { forget, type KeptPicture, keptPicture, type Picture, readPicture } from "./pictures";

export class Desk {
  private textNow = "";
  private picturesNow: readonly Picture[] = [];
  private refusalNow: string | undefined;
  /** What was cleared with Escape or dropped from the queue, the last one last: Up brings it back. */
  private clearedNow: readonly string[] = [];
  /** Pictures of messages that wait in the host: an edit has to send them again. */
  private readonly waiting = new Map<string, readonly Picture[]>();
  /** Messages that wait in the host and are being changed: what they were, and what was typed. */
  private readonly edits = new Map<string, { was: string; text: string }>();
  private readonly listeners = new Set<() => void>();
  private readonly draft: Draft;
  private readonly draftPictures: DraftPictures;
  readonly outbox: Outbox;
  private isTouched = false;

  constructor(readonly session: string) {
    const path = inSession(session, "draft");
    let found: readonly Picture[] = [];
    this.draft = new Draft({
      load: async () => {
        const kept = await get<{ text: string; pictures?: KeptPicture[] }>(path);
        found = (kept.pictures ?? []).map(keptPicture);
        return kept.text;
      },
      save: (text) => put(path, { text }),
      saveLast: (text) => putLast(path, { text }),
      leave: (text) => leaveText(path, text),
      left: () => takeText(path),
    });
    const at = (id: string) => inSession(session, "draft", "pictures", id);
    this.draftPictures = new DraftPictures(
      {
        put: ({ id, number, name, mediaType, data }) => put(at(id), { number, name, mediaType, data }),
        remove: (id) => remove(at(id)),
      },
      (picture, cause) => this.notePictureLost(picture, cause),
    );
    this.outbox = new Outbox(
      { send: (message) => sendMessage(session, message, this.draft.sending()) },
      () => this.noteDraft(),
      (message, isHeld) => this.noteTaken(message, isHeld),
    );
    void this.draft.load().then((text) => {
      this.draftPictures.found(found);
      // Who was faster than the server keeps what he typed; what he attached may have been kept before it answered.
      const before = found.filter(({ id }) => !this.picturesNow.some((mine) => mine.id === id));
      this.take(joined({ text: this.isTouched ? "" : text, pictures: before }, this.typed()));
      this.noteDraft();
    });
  }

  private typed(): Typed<Picture> {
    return { text: this.textNow, pictures: this.picturesNow };
  }

  private take({ text, pictures }: Typed<Picture>): void {
    this.textNow = text;
    this.picturesNow = pictures;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly text = (): string => this.textNow;
  readonly pictures = (): readonly Picture[] => this.picturesNow;
  readonly refusal = (): string | undefined => this.refusalNow;
  readonly cleared = (): readonly string[] => this.clearedNow;

  isEmpty(): boolean {
    return this.textNow.trim() === "" && this.picturesNow.length === 0;
  }

  write(text: string): void {
    this.isTouched = true;
    if (text === this.textNow) return;
    this.textNow = text;
    this.refusalNow = undefined;
    this.noteDraft();
  }

  /** A command that waits for its words: in front of what is there. Another command gives way to it; Up brings that back. */
  callCommand(name: string): void {
    const isCommand = this.textNow.startsWith("/");
    if (isCommand) this.keepForUp(this.textNow);
    this.write(`/${name} ${isCommand ? "" : this.textNow}`);
  }

  /** Takes the words away; Up brings them back. */
  clear(): void {
    this.keepForUp(this.textNow);
    this.write("");
  }

  keepForUp(text: string): void {
    if (text.trim() !== "") this.clearedNow = [...this.clearedNow.slice(-19), text];
  }

  /** Takes pictures along; each that is one is told of by its number, so that it gets its place among the words. */
  async attach(files: Iterable<File>, place: (number: number) => void): Promise<void> {
    for (const file of files) {
      const already = this.picturesNow.reduce((sum, picture) => sum + picture.bytes, 0);
      const read = await readPicture(file, already);
      if ("refusal" in read) {
        this.refuse(read.refusal);
        continue;
      }
      const number = nextNumber(this.picturesNow);
      this.picturesNow = [...this.picturesNow, { ...read, number }];
      this.noteDraft();
      place(number);
    }
  }

  detach(id: string): void {
    const gone = this.picturesNow.find((picture) => picture.id === id);
    if (!gone) return;
    forget(gone);
    this.picturesNow = this.picturesNow.filter((picture) => picture !== gone);
    this.textNow = removeMark(this.textNow, gone.number);
    this.noteDraft();
  }

  /** What the server did not take since it was not there. */
  retryOffline(): void {
    this.outbox.retryOffline();
    this.draftPictures.retry();
  }

  /** Would they be here again if the page were opened anew? */
  arePicturesKept(): boolean {
    return this.draftPictures.areKept();
  }

  refuse(words: string | undefined): void {
    this.refusalNow = words;
    this.tell();
  }

  /** Sends what is there. */
  send(delivery: Delivery): void {
    if (this.isEmpty()) return;
    const message = { id: newId(), text: this.textNow, pictures: this.picturesNow, delivery };
    this.isTouched = true;
    this.textNow = "";
    this.picturesNow = [];
    this.refusalNow = undefined;
    void this.outbox.add(message);
  }

  /** Sends a message at once that waited in the host, and was taken out there. */
  sendNow(id: string, text: string): void {
    const pictures = this.waiting.get(id) ?? [];
    this.waiting.delete(id);
    void this.outbox.add({ id: newId(), text, pictures, delivery: "steer" });
  }

  /** Puts a message that failed back to where one writes, in front of what is there; here, or in another session. */
  takeBack(id: string, to: Desk = this): void {
    const message = this.outbox.take(id);
    if (message) to.putBack(message.text, message.pictures);
  }

  /** Puts a message to where one writes, in front of what is there. */
  putBack(text: string, pictures: readonly Picture[]): void {
    this.isTouched = true;
    this.refusalNow = undefined;
    this.take(joined({ text, pictures }, this.typed()));
    this.noteDraft();
  }

  /** What was typed to change a message that waits in the host; none if nobody changes it. */
  edited(id: string): string | undefined {
    return this.edits.get(id)?.text;
  }

  edit(id: string, was: string, text: string | undefined): void {
    if (text === undefined) this.edits.delete(id);
    else this.edits.set(id, { was: this.edits.get(id)?.was ?? was, text });
    this.tell();
  }

  /** Only these wait yet. One that went while it was changed went as it was: what was typed is put to where one writes. */
  keepEdits(waiting: readonly string[]): boolean {
    const gone = [...this.edits].filter(([id]) => !waiting.includes(id));
    for (const [id] of gone) this.edits.delete(id);
    const typed = gone.flatMap(([, { was, text }]) => (text === was || text.trim() === "" ? [] : [text]));
    if (typed.length === 0) return false;
    this.putBack(typed.join("\n\n"), []);
    this.refuse("The message was gone before the change was saved. What you typed is here.");
    return true;
  }

  /** Drops a message that failed. */
  drop(id: string): void {
    const message = this.outbox.take(id);
    if (!message) return;
    this.keepForUp(message.text);
    message.pictures.forEach(forget);
    this.tell();
  }

  /** The pictures of a message that waits in the host, if it was sent from here. */
  picturesOf(id: string): readonly Picture[] | undefined {
    return this.waiting.get(id);
  }

  flush(): void {
    this.draft.flush();
  }

  flushLast(): void {
    this.draft.flushLast();
  }

  private noteTaken(message: Message, isHeld: boolean): void {
    if (isHeld && message.pictures.length > 0) this.waiting.set(message.id, message.pictures);
    else message.pictures.forEach(forget);
    this.draft.sent(message.text);
  }

  /** What is not with the agent yet is the draft: also what could not be sent. */
  private noteDraft(): void {
    const failed = this.outbox.all().filter(({ trouble }) => trouble);
    const sending = this.outbox.all().filter(({ trouble }) => !trouble);
    const left = [...failed, this.typed()].reduce<Typed<Picture>>(joined, { text: "", pictures: [] });
    // The server forgets the draft when it takes the message, and not before.
    if (sending.length > 0) this.draft.hold(left.text);
    else this.draft.note(left.text);
    this.draftPictures.note([...left.pictures, ...sending.flatMap(({ pictures }) => pictures)]);
    this.tell();
  }

  private notePictureLost({ name }: Picture, cause: unknown): void {
    const { code, message } = troubleOf(cause);
    // When the server is there again it is tried again.
    if (code === "offline") return;
    this.refuse(`${name} goes with the message, but not if this page is closed before: it cannot be kept. ${message}`);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The pictures as the server takes them, each with its place in the text. */
export function imagesOf(text: string, pictures: readonly Picture[]) {
  return pictures.map(({ mediaType, data, number }) => ({ mediaType, data, after: placeOf(text, number) }));
}

async function sendMessage(session: string, message: Message, draft?: string): Promise<{ isHeld: boolean }> {
  const { id, text, delivery } = message;
  const images = imagesOf(text, message.pictures);
  const sent = await post<{ seq?: number }>(inSession(session, "messages"), { id, text, images, delivery, draft });
  return { isHeld: sent.seq === undefined };
}

const desks = new Map<string, Desk>();

/** The desk of a session. There is one for each that was looked at; they are small. */
export function deskOf(session: string): Desk {
  const known = desks.get(session);
  if (known) return known;
  const desk = new Desk(session);
  desks.set(session, desk);
  return desk;
}
