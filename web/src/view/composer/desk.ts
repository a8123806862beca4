// What one session's composer holds: words, pictures, messages on their way. It outlives the view, so that going elsewhere and
// coming back loses nothing.

import { get, inSession, post, put, putLast } from "../../api/http";
import { newId } from "../../api/ids";
import { Draft } from "./draft";
import { type Delivery, type Message, Outbox } from "./outbox";
import { forget, type Picture, readPicture } from "./pictures";

export class Desk {
  private textNow = "";
  private picturesNow: readonly Picture[] = [];
  private refusalNow: string | undefined;
  /** What was cleared with Escape or dropped from the queue, the last one last: Up brings it back. */
  private clearedNow: readonly string[] = [];
  /** Pictures of messages that wait in the host: an edit has to send them again. */
  private readonly waiting = new Map<string, readonly Picture[]>();
  private readonly listeners = new Set<() => void>();
  private readonly draft: Draft;
  readonly outbox: Outbox;
  private isTouched = false;

  constructor(readonly session: string) {
    const path = inSession(session, "draft");
    this.draft = new Draft({
      load: async () => (await get<{ text: string }>(path)).text,
      save: (text) => put(path, { text }),
      saveLast: (text) => putLast(path, { text }),
    });
    this.outbox = new Outbox(
      { send: (message) => sendMessage(session, message) },
      () => this.noteDraft(),
      (message, isHeld) => this.noteTaken(message, isHeld),
    );
    void this.draft.load().then((text) => {
      // Who was faster than the server keeps what he typed.
      if (text === "" || this.isTouched) return;
      this.textNow = text;
      this.tell();
    });
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

  /** Takes the words away; Up brings them back. */
  clear(): void {
    this.keepForUp(this.textNow);
    this.write("");
  }

  keepForUp(text: string): void {
    if (text.trim() !== "") this.clearedNow = [...this.clearedNow.slice(-19), text];
  }

  async attach(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      const already = this.picturesNow.reduce((sum, picture) => sum + picture.bytes, 0);
      const read = await readPicture(file, already);
      if ("refusal" in read) this.refusalNow = read.refusal;
      else this.picturesNow = [...this.picturesNow, read];
      this.tell();
    }
  }

  detach(id: string): void {
    for (const picture of this.picturesNow) if (picture.id === id) forget(picture);
    this.picturesNow = this.picturesNow.filter((picture) => picture.id !== id);
    this.tell();
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

  /** Puts a message that failed back to where one writes, in front of what is there. */
  takeBack(id: string): void {
    const message = this.outbox.take(id);
    if (!message) return;
    this.picturesNow = [...message.pictures, ...this.picturesNow];
    this.write([message.text, this.textNow].filter((part) => part !== "").join("\n\n"));
    this.tell();
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
    this.draft.sent();
  }

  /** What is not with the agent yet is the draft: also what could not be sent. */
  private noteDraft(): void {
    const failed = this.outbox.all().flatMap((one) => (one.trouble ? [one.text] : []));
    const isSending = this.outbox.all().some((one) => !one.trouble);
    const left = [...failed, this.textNow].filter((part) => part !== "").join("\n\n");
    // The server forgets the draft when it takes the message, and not before.
    if (isSending) this.draft.hold(left);
    else this.draft.note(left);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

async function sendMessage(session: string, message: Message): Promise<{ isHeld: boolean }> {
  const images = message.pictures.map(({ mediaType, data }) => ({ mediaType, data }));
  const { id, text, delivery } = message;
  const sent = await post<{ seq?: number }>(inSession(session, "messages"), { id, text, images, delivery });
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
