import type { VNode } from "preact";

/** What is drawn of one day, in the order of the series. */
export interface DayColumn {
  /** For the axis, such as "3 Nov". */
  label: string;
  /** What is said of it where it is pointed at. */
  says: string;
  values: readonly number[];
  /** It is not over yet. */
  open?: boolean;
}

interface Panel {
  /** Index of what is drawn as wide bars, and of the narrow ones in front of them. */
  wide: number;
  narrow?: number;
  height: number;
}

const GAP = 26;
const AXIS = 22;
const LABELS = 5;
/** Parts of a day's width. */
const WIDE = 0.74;
const NARROW = 0.34;

/**
 * Bars by day, in panels below each other, each with a scale of its own, so that a hundred times as many visitors as
 * signups leave the signups to be seen. Widths are percentages: it fits any screen, and its words keep their size.
 */
export function DayChart(
  { id, title, says, columns, panels }: {
    id: string;
    title: string;
    /** What it shows, in a sentence, for those who can't see it. */
    says: string;
    columns: readonly DayColumn[];
    panels: readonly Panel[];
  },
): VNode {
  const slot = 100 / columns.length;
  const height = panels.reduce((sum, panel) => sum + panel.height + GAP, 0) + AXIS;
  let top = GAP / 2;
  const placed = panels.map((panel) => {
    const most = Math.max(
      ...columns.flatMap(({ values }) => [panel.wide, panel.narrow].map((index) => values[index ?? -1] ?? 0)),
    );
    const { step, max } = scaleFor(most, panel.height > 100 ? 4 : 2);
    const bottom = top + panel.height;
    top = bottom + GAP;
    return { ...panel, bottom, step, max };
  });
  const every = Math.ceil(columns.length / LABELS);
  return (
    <svg class="chart" role="img" width="100%" height={height} aria-labelledby={`${id}-title ${id}-says`}>
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-says`}>{says}</desc>
      {placed.map(({ bottom, step, max, height, wide }) =>
        Array.from({ length: max / step + 1 }, (_, index) => {
          const y = bottom - index * step / max * height;
          return (
            <g key={`${wide} ${index}`}>
              <line class={index === 0 ? "base" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
              <text class="tick" x="-8" y={y + 4}>{(index * step).toLocaleString("en")}</text>
            </g>
          );
        })
      )}
      {columns.map((column, index) => (
        <g key={column.label} class={column.open ? "day open" : "day"}>
          <rect class="hit" x={`${index * slot}%`} y="0" width={`${slot}%`} height={height - AXIS} />
          {placed.map((panel) =>
            [[panel.wide, WIDE], [panel.narrow, NARROW]].map(([series, width]) => {
              const value = series === undefined ? 0 : column.values[series] ?? 0;
              if (value === 0) return null;
              // A single one must not vanish beside thousands.
              const tall = Math.max(2, value / panel.max * panel.height);
              return (
                <rect
                  key={series}
                  class={`series-${series}`}
                  x={`${(index + (1 - width!) / 2) * slot}%`}
                  y={panel.bottom - tall}
                  width={`${width! * slot}%`}
                  height={tall}
                  rx="1.5"
                />
              );
            })
          )}
          {(columns.length - 1 - index) % every === 0 && (
            <text class="label" x={`${(index + 0.5) * slot}%`} y={height - 4}>{column.label}</text>
          )}
          <title>{column.says}</title>
        </g>
      ))}
    </svg>
  );
}

/**
 * A scale of round numbers that `most` fits under.
 *
 * @param lines about how many lines it has above its base
 */
export function scaleFor(most: number, lines: number): { step: number; max: number } {
  const rough = Math.max(1, most / lines);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough)!;
  return { step, max: Math.max(1, Math.ceil(most / step)) * step };
}
