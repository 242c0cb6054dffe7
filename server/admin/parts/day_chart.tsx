import type { VNode } from "preact";

/** One day of the chart. */
export interface DayColumn {
  /** For the axis, such as "3 Nov". */
  label: string;
  /** Tooltip. */
  text: string;
  /** One value per series. */
  values: readonly number[];
  /** The day is not over yet. */
  open?: boolean;
}

interface Panel {
  /** Index of the series drawn as wide bars, and of the one drawn as narrow bars in front of them. */
  wide: number;
  narrow?: number;
  height: number;
}

const GAP = 26;
const AXIS = 22;
const LABELS = 5;
/** Bar widths as shares of a day's width. */
const WIDE = 0.74;
const NARROW = 0.34;

/**
 * Bars by day, in stacked panels with separate scales, so that signups stay visible next to a hundred times as many
 * views. Widths are percentages: the chart fits any screen, and its text keeps its size.
 */
export function DayChart(
  { id, title, description, columns, panels }: {
    id: string;
    title: string;
    /** For screen readers. */
    description: string;
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
    <svg
      class="chart"
      role="img"
      width="100%"
      height={height}
      aria-labelledby={`${id}-title ${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
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
              // One signup stays visible next to thousands.
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
          <title>{column.text}</title>
        </g>
      ))}
    </svg>
  );
}

/**
 * Returns a scale of round numbers that includes `most`.
 *
 * @param lines approximate number of grid lines above zero
 */
export function scaleFor(most: number, lines: number): { step: number; max: number } {
  const rough = Math.max(1, most / lines);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough)!;
  return { step, max: Math.max(1, Math.ceil(most / step)) * step };
}
