import type { VNode } from "preact";

/** Outlines on a 20 by 20 grid, in the color of the surrounding text. */
const PATHS = {
  menu: "M3 6h14M3 10h14M3 14h14",
  lock: "M6 9V6.5a4 4 0 0 1 8 0V9M5 9h10v7.5H5z",
  plus: "M10 4v12M4 10h12",
  cross: "M5 5l10 10M15 5L5 15",
  check: "M4 10.5l4 4 8-9",
  alert: "M10 3l7.5 13.5h-15zM10 8v4M10 14.2v.1",
  copy: "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z",
  out: "M8 4H4v12h4M8 10h9M14 6.5l3.5 3.5-3.5 3.5",
} as const;

export type IconName = keyof typeof PATHS;

/** Hidden from screen readers: the text beside it carries the meaning. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
