// What the server says about itself, asked for once and whenever somebody wants to know again.

import { useCallback, useEffect, useState } from "react";
import { type About, about } from "../api/server";

let known: About | undefined;

export type Asked = { about: About | undefined; isAsking: boolean; again: () => void };

export function useAbout(): Asked {
  const [now, setNow] = useState(known);
  const [isAsking, setAsking] = useState(false);
  const again = useCallback(() => {
    setAsking(true);
    about()
      .then(
        (answer) => {
          known = answer;
          setNow(answer);
        },
        // The connection says what is wrong.
        () => {},
      )
      .finally(() => setAsking(false));
  }, []);
  useEffect(() => {
    if (known === undefined) again();
  }, [again]);
  return { about: now, isAsking, again };
}
