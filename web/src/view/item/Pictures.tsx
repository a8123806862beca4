// Pictures of a message or a result: small ones that open. Only what the log holds is shown; what is on the web is a link.

import { useEffect, useRef, useState } from "react";
import type { ImageRef } from "../../generated";
import { safeHref } from "../../markdown/links";
import { OuterLink } from "../../markdown/OuterLink";
import { useSession } from "../../store/use";
import { Icon } from "../Icon";
import { fetchWhole } from "../whole";
import { bytes, counted } from "../words";
import { Press } from "./inRow";

const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function Pictures({ images }: { images: readonly ImageRef[] }) {
  return images.length === 0 ? null : (
    <div className="pictures">
      {images.map((image) => (
        <Picture key={`${image.seq}${image.pointer}${image.url ?? ""}`} image={image} />
      ))}
    </div>
  );
}

/** Pictures for which the state had no room: only the raw line has them. */
export function MorePictures({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return <p className="body-note">and {counted(count, "more picture")}, to be seen in the raw line</p>;
}

function Picture({ image }: { image: ImageRef }) {
  if (image.url !== undefined) return <OnTheWeb url={image.url} />;
  if (!SHOWN.has(image.mediaType)) {
    return (
      <span className="tag">
        <Icon name="file" />
        {image.mediaType || "Document"}, {bytes(image.bytes)}
      </span>
    );
  }
  return <Thumbnail image={image} />;
}

function OnTheWeb({ url }: { url: string }) {
  const href = safeHref(url);
  return href === undefined ? (
    <span className="tag">Picture on the web</span>
  ) : (
    <OuterLink className="tag" href={href}>
      Picture on the web
    </OuterLink>
  );
}

/** Pictures that were fetched, for when the row comes back. */
const fetched = new Map<string, string>();
const KEPT = 40;

function keep(key: string, source: string): void {
  fetched.set(key, source);
  for (const old of fetched.keys()) if (fetched.size > KEPT) fetched.delete(old);
}

function Thumbnail({ image }: { image: ImageRef }) {
  const session = useSession();
  const key = `${session.id}:${image.seq}:${image.pointer}`;
  const [source, setSource] = useState<string | "failed" | undefined>(fetched.get(key));
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (fetched.has(key)) return;
    const abort = new AbortController();
    fetchWhole(session.id, image, abort.signal)
      .then((base64) => {
        keep(key, `data:${image.mediaType};base64,${base64}`);
        setSource(fetched.get(key));
      })
      .catch(() => {
        if (!abort.signal.aborted) setSource("failed");
      });
    return () => abort.abort();
  }, [session, image, key]);
  if (source === "failed") return <span className="tag is-danger">The picture could not be loaded</span>;
  const words = `Picture, ${bytes(image.bytes)}`;
  return (
    <>
      <Press className="thumb" aria-label={`${words}: open`} onClick={() => dialog.current?.showModal()}>
        {source === undefined ? null : <img src={source} alt="" />}
      </Press>
      <dialog className="picture-dialog" ref={dialog} aria-label={words}>
        {source === undefined ? null : <img src={source} alt={words} />}
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}
