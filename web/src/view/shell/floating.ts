// Where something that floats stands: below its button, or above where there is more room; always inside of the window.
// Set through the element's own style object, which the content security policy lets be.

const GAP = 4;
const EDGE = 8;
/** With less room below, it looks whether there is more above. */
const ENOUGH = 320;

export function placeBeside(element: HTMLElement, button: Element): void {
  const at = button.getBoundingClientRect();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const [below, above] = [height - at.bottom, at.top];
  const goesUp = below < ENOUGH && above > below;
  const isRight = at.left + at.width / 2 > width / 2;
  const { style } = element;
  style.top = goesUp ? "auto" : `${at.bottom + GAP}px`;
  style.bottom = goesUp ? `${height - at.top + GAP}px` : "auto";
  style.left = isRight ? "auto" : `${Math.max(EDGE, at.left)}px`;
  style.right = isRight ? `${Math.max(EDGE, width - at.right)}px` : "auto";
  style.maxHeight = `${(goesUp ? above : below) - GAP - EDGE}px`;
}
