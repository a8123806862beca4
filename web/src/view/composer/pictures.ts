// Pictures to send: files in; their bytes in base64 with a preview, or why not, out.

import { newId } from "../../api/ids";
import { bytes as inBytes } from "../words";

/** What the API takes for a picture. */
export type Picture = {
  id: string;
  name: string;
  /** By which the words name it. */
  number: number;
  mediaType: string;
  /** The bytes, as base64. */
  data: string;
  bytes: number;
  /** Where this page shows it from. */
  url: string;
};

export const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

const MOST_BYTES = 5 * 1024 * 1024;
/** One message with all of its pictures has to fit into one request. */
const MOST_BYTES_IN_ALL = 30 * 1024 * 1024;

/** What a picture is, by its first bytes: a name can say anything. */
export function typeOf(head: Uint8Array): (typeof TYPES)[number] | undefined {
  const starts = (at: number, text: string) => [...text].every((letter, i) => head[at + i] === letter.charCodeAt(0));
  if (head[0] === 0x89 && starts(1, "PNG")) return "image/png";
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (starts(0, "GIF8")) return "image/gif";
  if (starts(0, "RIFF") && starts(8, "WEBP")) return "image/webp";
  return undefined;
}

/** Why a file cannot be sent; nothing if it can. */
export function refusal(name: string, size: number, type: string | undefined, already: number): string | undefined {
  if (type === undefined)
    return `${name} is no PNG, JPEG, GIF or WebP picture. Write @ and its path to point to a file.`;
  if (size > MOST_BYTES) return `${name} has ${inBytes(size)}; a picture may have at most 5 MB.`;
  if (already + size > MOST_BYTES_IN_ALL)
    return `${name} does not fit: the pictures of a message may have 30 MB in all.`;
  return undefined;
}

/** The picture in a file, or why it cannot be sent. */
export async function readPicture(file: File, already: number): Promise<Omit<Picture, "number"> | { refusal: string }> {
  const name = file.name || "Picture";
  try {
    const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
    const type = typeOf(head);
    const why = refusal(name, file.size, type, already);
    if (why !== undefined || type === undefined) return { refusal: why ?? "" };
    const data = await base64(file);
    return { id: newId(), name, mediaType: type, data, bytes: file.size, url: URL.createObjectURL(file) };
  } catch {
    return { refusal: `${name} cannot be read.` };
  }
}

/** A picture as the server keeps it. */
export type KeptPicture = Pick<Picture, "id" | "name" | "number" | "mediaType" | "data">;

/** A picture of what was being typed when the page was last open. */
export function keptPicture(kept: KeptPicture): Picture {
  const { mediaType, data } = kept;
  const bytes = Math.floor((data.replace(/=+$/, "").length * 3) / 4);
  return { ...kept, bytes, url: `data:${mediaType};base64,${data}` };
}

/** A picture of a message that was sent, and is written again. */
export function sentPicture(mediaType: string, data: string, number: number): Picture {
  return keptPicture({ id: newId(), name: "Picture", number, mediaType, data });
}

function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Gives back what the preview takes. */
export function forget(picture: Picture): void {
  URL.revokeObjectURL(picture.url);
}
