// Files that are dropped on the page: taken where somebody writes to an agent, and nowhere a reason for the browser to leave it.

import { useEffect, useEffectEvent, useState } from "react";

export const hasFiles = ({ dataTransfer }: Pick<DragEvent, "dataTransfer">): boolean =>
  dataTransfer?.types.includes("Files") === true;

/** Takes the files that are dropped anywhere on the page, if nothing stands before it. Says whether some are held over it. */
export function useFileDrops(take: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    const isMeant = (event: DragEvent) =>
      hasFiles(event) && !event.defaultPrevented && !document.querySelector("dialog:modal");
    const over = (event: DragEvent) => {
      const isHere = isMeant(event);
      if (isHere) event.preventDefault();
      setOver(isHere);
    };
    // From one element to the next it leaves as well, but to somewhere.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!isMeant(event)) return;
      event.preventDefault();
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return isOver;
}

/** A file that nobody takes is not opened in the place of the page. Who takes one has heard of it before the window does. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    };
    addEventListener("dragover", refuse);
    addEventListener("drop", refuse);
    return () => {
      removeEventListener("dragover", refuse);
      removeEventListener("drop", refuse);
    };
  }, []);
}
