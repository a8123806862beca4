// Something that may be larger than its place: it scrolls, and if it does it can be reached with the keyboard.

import { type ReactNode, useEffect, useRef, useState } from "react";

type Props = { label: string; className?: string; children: ReactNode };

export function Scrollable({ label, className = "side-scroll", children }: Props) {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [isLarger, setLarger] = useState(false);
  useEffect(() => {
    const [place, content] = [outer.current, inner.current];
    if (!place || !content) return;
    const look = () =>
      setLarger(place.scrollWidth > place.clientWidth + 1 || place.scrollHeight > place.clientHeight + 1);
    const observer = new ResizeObserver(look);
    observer.observe(place);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  const reachable = isLarger ? { tabIndex: 0, role: "group", "aria-label": label } : {};
  return (
    <div className={`scrolls ${className}`} ref={outer} {...reachable}>
      <div className="scrolled" ref={inner}>
        {children}
      </div>
    </div>
  );
}
