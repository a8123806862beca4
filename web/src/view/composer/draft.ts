// What is being typed, kept on the server: each change in, a save after a pause out; one at a time, the last one counts.

export interface DraftKeep {
  load(): Promise<string>;
  save(text: string): Promise<void>;
  /** Saves when the page goes away, with nobody left to hear whether it worked. */
  saveLast(text: string): void;
  /** Leaves words to the page that comes after this one, which may ask the server before it has them; none takes them away. */
  leave(text: string | undefined): void;
  /** What the page before left, given once. */
  left(): string | undefined;
}

/** A pause in typing. */
export const PAUSE_MS = 600;

export class Draft {
  /** What the server has; nobody knows, if a save and a message were on their way at the same time. */
  private saved: string | undefined = "";
  private wanted = "";
  /** What the server forgets with the words that are on their way. */
  private named: string | undefined;
  private isUnsure = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSaving = false;

  constructor(private readonly keep: DraftKeep) {}

  /** What was kept, or what the page before this one left; nothing if it cannot be had. */
  async load(): Promise<string> {
    const left = this.keep.left();
    try {
      const kept = await this.keep.load();
      this.saved = kept;
      return left ?? kept;
    } catch {
      return left ?? "";
    }
  }

  /** It reads like this now. */
  note(text: string): void {
    this.wanted = text;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (text !== this.saved || this.isSaving) this.timer = setTimeout(() => void this.save(), PAUSE_MS);
  }

  /** The words are on their way as a message, and these are left: nothing is saved before it is known what became of them. */
  hold(text: string): void {
    this.wanted = text;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isSaving) this.isUnsure = true;
  }

  /** What the server has of the words that are on their way, which it is to forget with them; none if it is to keep any of it. */
  sending(): string | undefined {
    this.named = this.wanted === "" ? this.saved : undefined;
    return this.named === "" ? undefined : this.named;
  }

  /** The server took these words as a message, and has forgotten the draft if it read like them, or as it was named. */
  sent(words: string): void {
    if (this.isUnsure) this.saved = undefined;
    else if (this.saved === words || this.saved === this.named) this.saved = "";
    this.isUnsure = false;
    this.keep.leave(undefined);
    this.note(this.wanted);
  }

  /** Saves at once what is not saved yet: the reader goes elsewhere. */
  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    void this.save();
  }

  /** The same when the page itself goes. */
  flushLast(): void {
    if (this.wanted === this.saved && !this.isSaving) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.saved = this.wanted;
    this.keep.leave(this.wanted);
    this.keep.saveLast(this.wanted);
  }

  private async save(): Promise<void> {
    this.timer = undefined;
    // The one on its way is followed by another if it is not the last word.
    if (this.isSaving) return;
    this.isSaving = true;
    const text = this.wanted;
    try {
      await this.keep.save(text);
      this.saved = text;
      this.keep.leave(undefined);
    } catch {
      // It stays in the page, and is saved with the next change.
    } finally {
      this.isSaving = false;
    }
    if (this.wanted !== text && this.timer === undefined) this.note(this.wanted);
  }
}
