// What is worth showing only if it lasts: most messages are taken at once, and a chip that comes and goes would flicker.

import { type ReactNode, useEffect, useState } from "react";

const LATE_MS = 600;

export function Late({ children }: { children: ReactNode }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? children : null;
}
