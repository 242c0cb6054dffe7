import type { VNode } from "preact";
import { Icon } from "./icons.tsx";

export interface Chip {
  /** Such as `Form: footer`. */
  text: string;
  /** The page without this filter. */
  href: string;
}

/** The filters that are set. Each is a link that removes it, and the last link removes all. */
export function Chips({ chips, clear }: { chips: readonly Chip[]; clear: string }): VNode | null {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters that are set">
      {chips.map(({ text, href }) => (
        <li key={text}>
          <a class="chip" href={href}>
            <span class="hidden">Remove the filter</span> {text} <Icon name="cross" />
          </a>
        </li>
      ))}
      <li>
        <a class="clear" href={clear}>Clear all</a>
      </li>
    </ul>
  );
}
