// What this browser tells of when somebody looks elsewhere, and how.

import { useEffect, useState } from "react";
import { changePrefs, EVENTS, type NoticeEvent, usePrefs } from "../notice/prefs";
import { play } from "../notice/sound";
import { SUPPORT_WORDS, type Support, support } from "../notice/support";
import { show } from "../notice/tell";
import { Section, Switch } from "./parts";

const WORDS: Record<NoticeEvent, { title: string; hint: string }> = {
  needsYou: { title: "A session needs you", hint: "A permission, a question, a plan to approve." },
  finished: { title: "A session has finished", hint: "A turn has ended, well or not." },
};

export function Notifications() {
  const [may, setMay] = useSupport();
  return (
    <>
      <Section
        title="Notifications of the system"
        hint="They come when the page is hidden or another session is in front, once for each event, and lead to the session. The count in the title of the tab and its icon are always there."
      >
        <p className={may === "granted" ? "muted" : may === "ask" ? "" : "is-warn"} role="status">
          {SUPPORT_WORDS[may]}
        </p>
        {may === "ask" ? (
          <div>
            <button
              type="button"
              className="btn primary"
              onClick={() => void Notification.requestPermission().then(() => setMay(support()))}
            >
              Allow notifications
            </button>
          </div>
        ) : null}
        {may === "granted" ? <Try /> : null}
      </Section>
      {EVENTS.map((event) => (
        <EventWays key={event} event={event} may={may} />
      ))}
    </>
  );
}

/** What may be; asked again when somebody comes back from the browser's settings. */
function useSupport(): [Support, (may: Support) => void] {
  const [may, setMay] = useState(support);
  useEffect(() => {
    const look = () => setMay(support());
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  return [may, setMay];
}

function Try() {
  const [words, setWords] = useState<string>();
  const tryIt = () => {
    const isShown = show(
      { session: "", title: "Quarterdeck", words: "This is what a notification looks like." },
      false,
    );
    setWords(isShown ? undefined : "This browser shows no notifications of pages, although it says so. Use the sound.");
  };
  return (
    <div className="row">
      <button type="button" className="btn" onClick={tryIt}>
        Show one
      </button>
      {words === undefined ? null : (
        <span role="alert" className="hint is-danger">
          {words}
        </span>
      )}
    </div>
  );
}

function EventWays({ event, may }: { event: NoticeEvent; may: Support }) {
  const ways = usePrefs()[event];
  const { title, hint } = WORDS[event];
  const [isSilent, setSilent] = useState(false);
  const hear = () => void play(event).then((isHeard) => setSilent(!isHeard));
  return (
    <Section
      title={title}
      hint={hint}
      extra={
        <button type="button" className="btn quiet sm" onClick={hear}>
          Hear its sound
        </button>
      }
    >
      <Switch
        label="Notification"
        isOn={ways.system}
        hint={ways.system && may !== "granted" ? "None comes as long as the browser is not allowed to." : undefined}
        onChange={(system) => changePrefs(event, { system })}
      />
      <Switch
        label="Sound"
        isOn={ways.sound}
        hint={isSilent ? "The browser made no sound. Is it allowed to for this page?" : undefined}
        onChange={(sound) => {
          changePrefs(event, { sound });
          if (sound) hear();
        }}
      />
    </Section>
  );
}
