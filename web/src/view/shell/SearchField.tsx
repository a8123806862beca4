// A field to find something in a list that is there already.

import { Icon } from "../Icon";

export function SearchField({
  label,
  hint = label,
  value,
  isFirst,
  onChange,
}: {
  label: string;
  /** What stands in it as long as it is empty. */
  hint?: string;
  value: string;
  /** Has it the focus when its dialog opens? */
  isFirst?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <div className="input find-box">
      <Icon name="search" className="faint" />
      <input
        type="search"
        data-autofocus={isFirst ? "" : undefined}
        value={value}
        placeholder={hint}
        aria-label={label}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // The first Escape is for what was typed.
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          event.stopPropagation();
          onChange("");
        }}
      />
    </div>
  );
}
