// Is this a place where letters are letters? Choices are none: what is pressed on them means the page.

const CHOICES = ["radio", "checkbox", "button", "submit", "reset", "file", "range", "color"];

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !CHOICES.includes(target.type);
  return target.isContentEditable || target.matches("textarea, select");
}
