// Something that may be wider than its place: it scrolls sideways, and if it does it can be reached with the keyboard.

import { type ReactNode, useEffect, useRef, useState } from "react";

export function SideScroll({ label, children }: { label: string; children: ReactNode }) {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const [place, content] = [outer.current, inner.current];
    if (!place || !content) return;
    const look = () => setWide(place.scrollWidth > place.clientWidth + 1);
    const observer = new ResizeObserver(look);
    observer.observe(place);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  const reachable = isWide ? { tabIndex: 0, role: "region", "aria-label": label } : {};
  return (
    <div className="side-scroll" ref={outer} {...reachable}>
      <div className="side-content" ref={inner}>
        {children}
      </div>
    </div>
  );
}
