import type { VNode } from "preact";
import { Icon } from "./icons.tsx";

export interface Chip {
  /** Such as `Form: footer`. */
  text: string;
  /** The page without this filter. */
  href: string;
}

/** The filters that are set. The cross of each removes it, and the last link removes all. */
export function Chips({ chips, clear }: { chips: readonly Chip[]; clear: string }): VNode | null {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters that are set">
      {chips.map(({ text, href }) => (
        <li key={text}>
          <span class="chip">
            {text}{" "}
            <a class="remove" href={href}>
              <span class="hidden">Remove the filter {text}</span> <Icon name="cross" />
            </a>
          </span>
        </li>
      ))}
      <li>
        <a class="clear" href={clear}>Clear all</a>
      </li>
    </ul>
  );
}
