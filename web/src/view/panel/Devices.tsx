// Who may come in: the browsers and scripts that are known, a link for one more, and the way to shut one out.

import { useState } from "react";
import { type Device, devices, launchLink, revokeDevice } from "../../api/own";
import { Icon } from "../Icon";
import { useNow } from "../now";
import { CopyLine } from "../shell/CopyLine";
import { Confirm } from "../shell/Dialog";
import { useAction } from "../shell/useAction";
import { clock, exactly, when } from "../words";
import { Fault, Section } from "./parts";
import { useLoaded } from "./useLoaded";

export function Devices() {
  const { value, error, again } = useLoaded(devices);
  const now = useNow(true, 10_000);
  const [leaving, setLeaving] = useState<Device>();
  return (
    <>
      <Pair />
      <Section title="Known" hint="Browsers that were let in, and tokens of scripts.">
        <Fault words={error} />
        <ul className="rows">
          {value?.toSorted(youFirst).map((device) => (
            <li key={device.id}>
              <Icon name="device" />
              <span className="cut grow" title={device.name}>
                {device.name}
              </span>
              <span className="hint" title={device.seenAt ? exactly(device.seenAt) : undefined}>
                {device.isYou ? "this browser" : device.seenAt ? `seen ${ago(device.seenAt, now)}` : "not seen yet"}
              </span>
              <button
                type="button"
                className="btn quiet sm"
                aria-label={`Shut out ${device.name}`}
                onClick={() => setLeaving(device)}
              >
                Shut out
              </button>
            </li>
          ))}
        </ul>
      </Section>
      {leaving === undefined ? null : (
        <ShutOut
          device={leaving}
          onClose={() => {
            setLeaving(undefined);
            again();
          }}
        />
      )}
    </>
  );
}

const youFirst = (a: Device, b: Device): number =>
  Number(b.isYou) - Number(a.isYou) || (b.seenAt ?? b.addedAt) - (a.seenAt ?? a.addedAt);

/** `9 m ago`, `at 14:02`, `on 3 Nov`. */
function ago(at: number, now: number): string {
  const words = when(at, now);
  if (now - at < 3_600_000) return `${words} ago`;
  return words.includes(":") ? `at ${words}` : `on ${words}`;
}

function ShutOut({ device, onClose }: { device: Device; onClose: () => void }) {
  const { run, isBusy, error } = useAction();
  const itself =
    "This browser is logged out at once. To come back you need a new link: `quarterdeck serve` prints one.";
  return (
    <Confirm
      title={device.isYou ? "Log this browser out?" : `Shut out ${device.name}?`}
      text={device.isYou ? itself.replaceAll("`", "") : "It cannot come in any more. Sessions go on."}
      verb={device.isYou ? "Log out" : "Shut out"}
      doing="Shutting out"
      isBusy={isBusy}
      error={error}
      onConfirm={() =>
        run(
          () => revokeDevice(device.id),
          () => (device.isYou ? location.reload() : onClose()),
        )
      }
      onClose={onClose}
    />
  );
}

/** Is the page open from this very computer? Then its address means nothing to another one. */
const isLoopback = (): boolean => /^(localhost|127\.|\[::1\])/.test(location.hostname);

function Pair() {
  const { run, isBusy, error } = useAction();
  const [link, setLink] = useState<{ url: string; expiresAt: number }>();
  const now = useNow(link !== undefined);
  const isOver = link !== undefined && link.expiresAt <= now;
  const make = () =>
    run(async () => {
      const { path, expiresAt } = await launchLink();
      setLink({ url: new URL(path, location.origin).href, expiresAt });
    });
  return (
    <Section
      title="Let another device in"
      hint="A link that is good once, for a few minutes. Whoever opens it can do what you can."
    >
      {link === undefined || isOver ? null : (
        <>
          <CopyLine text={link.url} />
          <p className="hint">
            Good until {clock(link.expiresAt)}.
            {isLoopback()
              ? " This address is for this computer only. For another one, open Quarterdeck there through your tunnel or proxy, and put its address in front of /login."
              : ""}
          </p>
        </>
      )}
      {isOver ? <p className="hint">The link is too old by now.</p> : null}
      <div>
        <button type="button" className="btn" disabled={isBusy} onClick={make}>
          <Icon name="link" />
          {isBusy ? "Making a link" : link === undefined ? "Make a link" : "Make another link"}
        </button>
      </div>
      <Fault words={error} />
    </Section>
  );
}
