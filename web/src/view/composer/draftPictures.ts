// The pictures of what is being typed, kept on the server: those that belong to it in; what is not there yet is put there, what is
// not wanted any more is removed, one at a time.

import type { Picture } from "./pictures";

export interface PictureKeep {
  put(picture: Picture): Promise<void>;
  remove(id: string): Promise<void>;
}

export class DraftPictures {
  private wanted: readonly Picture[] = [];
  /** What is on the server: the numbers of the pictures, by their ids. */
  private readonly kept = new Map<string, number>();
  /** What did not work, and is not tried again by itself: ids. */
  private readonly failed = new Set<string>();
  private isBusy = false;

  constructor(
    private readonly keep: PictureKeep,
    /** A picture is not kept, and why. */
    private readonly tell: (picture: Picture, cause: unknown) => void,
  ) {}

  /** These were found on the server. */
  found(pictures: readonly Picture[]): void {
    for (const { id, number } of pictures) this.kept.set(id, number);
  }

  /** These go with what is being typed now. */
  note(wanted: readonly Picture[]): void {
    this.wanted = wanted;
    void this.work();
  }

  /** Is every picture on the server? What is not would go with the page. */
  areKept(): boolean {
    return this.wanted.every(({ id }) => this.kept.has(id));
  }

  /** Tries again what did not work. */
  retry(): void {
    this.failed.clear();
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let next = this.next(); next; next = this.next()) await next();
    this.isBusy = false;
  }

  private next(): (() => Promise<void>) | undefined {
    const isOpen = (id: string) => !this.failed.has(id);
    const missing = this.wanted.find(({ id, number }) => this.kept.get(id) !== number && isOpen(id));
    if (missing) return () => this.put(missing);
    const left = [...this.kept.keys()].find((id) => !this.wanted.some((one) => one.id === id) && isOpen(id));
    return left === undefined ? undefined : () => this.remove(left);
  }

  private async put(picture: Picture): Promise<void> {
    try {
      await this.keep.put(picture);
      this.kept.set(picture.id, picture.number);
    } catch (cause) {
      this.failed.add(picture.id);
      this.tell(picture, cause);
    }
  }

  private async remove(id: string): Promise<void> {
    try {
      await this.keep.remove(id);
      this.kept.delete(id);
    } catch {
      this.failed.add(id);
    }
  }
}
