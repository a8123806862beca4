// Which cell of a notebook gave which picture. A result is a list of texts and pictures in the order of the cells: a picture
// belongs to the cell that begins last before it. Pictures and the texts right before them in, pictures by cell out.

import { useEffect, useState } from "react";
import type { ImageRef } from "../../../generated";
import { useSession } from "../../../store/use";
import { fetchWhole } from "../../whole";

/** Where in the result it stands: `/message/content/0/content/` and `3`. */
const PLACE = /^(.*\/content\/)(\d+)/;
const BEGIN = /<cell id="([^"\n]*)">/g;

const numberOf = (image: ImageRef): number => Number(PLACE.exec(image.pointer)?.[2] ?? -1);

/** The texts that say it: those right before a picture. By their number in the result. */
export function textsBefore(images: readonly ImageRef[]): { number: number; seq: number; pointer: string }[] {
  const numbers = new Set(images.map(numberOf));
  return images.flatMap((image) => {
    const place = PLACE.exec(image.pointer);
    const before = numberOf(image) - 1;
    if (!place || before < 0 || numbers.has(before)) return [];
    return [{ number: before, seq: image.seq, pointer: `${place[1]}${before}/text` }];
  });
}

export type PicturePlaces = { byCell: ReadonlyMap<string, readonly ImageRef[]>; rest: readonly ImageRef[] };

export function placePictures(images: readonly ImageRef[], texts: ReadonlyMap<number, string>): PicturePlaces {
  const byCell = new Map<string, ImageRef[]>();
  const rest: ImageRef[] = [];
  let cell: string | undefined;
  for (const image of [...images].sort((a, b) => numberOf(a) - numberOf(b))) {
    const begun = [...(texts.get(numberOf(image) - 1) ?? "").matchAll(BEGIN)].at(-1)?.[1];
    cell = begun ?? cell;
    if (cell === undefined) rest.push(image);
    else byCell.set(cell, [...(byCell.get(cell) ?? []), image]);
  }
  return { byCell, rest };
}

const NONE: PicturePlaces = { byCell: new Map(), rest: [] };

/** Asks the log for the texts. Where it does not have them, no picture has a cell. */
export function usePicturePlaces(images: readonly ImageRef[]): PicturePlaces {
  const session = useSession();
  const [places, setPlaces] = useState(NONE);
  useEffect(() => {
    const abort = new AbortController();
    const texts = textsBefore(images).map(
      async ({ number, ...where }) => [number, await fetchWhole(session.id, where, abort.signal)] as const,
    );
    Promise.all(texts).then(
      (found) => setPlaces(placePictures(images, new Map(found))),
      () => {
        if (!abort.signal.aborted) setPlaces({ byCell: new Map(), rest: images });
      },
    );
    return () => abort.abort();
  }, [session, images]);
  return places;
}
