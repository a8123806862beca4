// The pictures that go with the next message, small, each with a way to take it out again; and why one was refused.

import { memo } from "react";
import { Icon } from "../Icon";
import { bytes } from "../words";
import type { Desk } from "./desk";
import { placeOf } from "./marks";
import { useDesk } from "./use";

export const Pictures = memo(function Pictures({ desk }: { desk: Desk }) {
  const pictures = useDesk(desk, (one) => one.pictures());
  const refusal = useDesk(desk, (one) => one.refusal());
  const text = useDesk(desk, (one) => one.text());
  return (
    <>
      {pictures.length === 0 ? null : (
        <ul className="pictures" aria-label="Pictures to send">
          {pictures.map((picture) => (
            <li key={picture.id} className="picture" title={`${picture.name}, ${bytes(picture.bytes)}`}>
              <img src={picture.url} alt={picture.name} />
              {placeOf(text, picture.number) === undefined ? null : (
                <span className="picture-number num" aria-hidden="true">
                  {picture.number}
                </span>
              )}
              <button
                type="button"
                className="ibtn xs"
                aria-label={`Remove ${picture.name}`}
                onClick={() => desk.detach(picture.id)}
              >
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {refusal === undefined ? null : (
        <p className="refusal" role="alert">
          <Icon name="warn" />
          <span className="grow">{refusal}</span>
          <button type="button" className="ibtn xs" aria-label="Close" onClick={() => desk.refuse(undefined)}>
            <Icon name="x" />
          </button>
        </p>
      )}
    </>
  );
});
