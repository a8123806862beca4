// What a paste means where both words and pictures can go: what is on the clipboard in, the files that are to be attached out. Pure.

type Clipboard = Pick<DataTransfer, "getData"> & { readonly files: Iterable<File> };

/**
 * Cells of a spreadsheet and words of a word processor come with a picture of themselves: whoever pastes those means the text, which
 * the browser pastes. A file that was copied comes with its name or its path as the text: there the file is meant.
 */
export function filesMeant(clipboard: Clipboard): File[] {
  const files = [...clipboard.files];
  const lines = clipboard
    .getData("text/plain")
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "");
  const isName = (line: string) => {
    const last = line.trim().split(/[\\/]/).at(-1) ?? "";
    return files.some(({ name }) => last === name || last === encodeURIComponent(name));
  };
  return lines.every(isName) ? files : [];
}
