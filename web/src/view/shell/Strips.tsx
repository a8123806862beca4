// Strips across the top of the page: a newer server, a browser that is not known any more, a deed that failed.

import { useEffect, useSyncExternalStore } from "react";
import { useSocket } from "../../store/use";
import { Icon } from "../Icon";
import { usePlace } from "../route";
import { Words } from "../Words";
import { setTrouble, useTroubleNow } from "./troubles";

export function Strips() {
  const socket = useSocket();
  const isOutdated = useSyncExternalStore(socket.subscribe, socket.isOutdated);
  const isRefused = useSyncExternalStore(socket.subscribe, socket.isRefused);
  const trouble = useTroubleNow();
  const place = usePlace();
  useEffect(() => {
    // Who has gone on has read it.
    void place;
    setTrouble(undefined);
  }, [place]);
  return (
    <section aria-label="Notices">
      {isRefused ? (
        <div className="strip" role="alert">
          <Icon name="warn" className="is-danger" />
          <p>This browser is not logged in any more. Copy what you were writing before you go on.</p>
          <button type="button" className="btn sm" onClick={() => location.reload()}>
            Log in
          </button>
        </div>
      ) : null}
      {isOutdated ? (
        // Nothing is loaded again by itself: somebody may be writing.
        <div className="strip" role="status">
          <Icon name="refresh" />
          <p>Quarterdeck was updated. Load the page again to use the new version.</p>
          <button type="button" className="btn sm" onClick={() => location.reload()}>
            Load again
          </button>
        </div>
      ) : null}
      {trouble === undefined ? null : (
        <div className="strip" role="alert">
          <Icon name="warn" className="is-danger" />
          <p>
            <Words text={trouble.text} />
          </p>
          {trouble.wayOut === undefined ? null : (
            <button type="button" className="btn sm" onClick={trouble.wayOut.take}>
              {trouble.wayOut.label}
            </button>
          )}
          <button type="button" className="ibtn" aria-label="Dismiss" onClick={() => setTrouble(undefined)}>
            <Icon name="x" />
          </button>
        </div>
      )}
    </section>
  );
}
