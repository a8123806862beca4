// What is being typed, kept on the server: each change in, a save after a pause out; one at a time, the last one counts.

export interface DraftKeep {
  load(): Promise<string>;
  save(text: string): Promise<void>;
  /** Saves when the page goes away, with nobody left to hear whether it worked. */
  saveLast(text: string): void;
}

/** A pause in typing. */
export const PAUSE_MS = 600;

export class Draft {
  private saved = "";
  private wanted = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSaving = false;

  constructor(private readonly keep: DraftKeep) {}

  /** What was kept; nothing if it cannot be had. */
  async load(): Promise<string> {
    try {
      this.saved = await this.keep.load();
    } catch {
      return "";
    }
    return this.saved;
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
  }

  /** The server took the words as a message, and has forgotten the draft. */
  sent(): void {
    this.saved = "";
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
    } catch {
      // It stays in the page, and is saved with the next change.
    } finally {
      this.isSaving = false;
    }
    if (this.wanted !== text && this.timer === undefined) this.note(this.wanted);
  }
}
