import type { VNode } from "preact";

/** One day of the chart. */
export interface DayColumn {
  /** For the axis, such as "3 Nov". */
  label: string;
  /** Tooltip. */
  text: string;
  value: number;
  /** The value of the same day in the previous period. */
  before?: number | undefined;
  /** The day is not over yet. */
  open?: boolean;
}

const HEIGHT = 208;
const TOP = 12;
const AXIS = 26;
const LABELS = 5;
const GRID_LINES = 4;
/** Widths of the bar and of the mark for the previous period, as shares of a day's width. */
const BAR = 0.7;
const MARK = 0.9;

/**
 * One bar per day, and a line across it for the same day of the previous period. Widths are percentages: the chart
 * fits any screen, and its text keeps its size.
 */
export function DayChart(
  { id, title, description, columns, unit = "" }: {
    id: string;
    title: string;
    /** For screen readers. */
    description: string;
    columns: readonly DayColumn[];
    /** After each number of the scale, such as "%". */
    unit?: string;
  },
): VNode {
  const slot = 100 / columns.length;
  const { step, max } = scaleFor(
    Math.max(...columns.map(({ value, before }) => Math.max(value, before ?? 0))),
    GRID_LINES,
  );
  const bottom = TOP + HEIGHT;
  // A single signup stays visible next to thousands.
  const heightOf = (value: number) => value === 0 ? 0 : Math.max(2, value / max * HEIGHT);
  const every = Math.ceil(columns.length / LABELS);
  return (
    <svg
      class="chart"
      role="img"
      width="100%"
      height={bottom + AXIS}
      aria-labelledby={`${id}-title ${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      {Array.from({ length: max / step + 1 }, (_, index) => {
        const y = bottom - index * step / max * HEIGHT;
        return (
          <g key={index}>
            <line class={index === 0 ? "base" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
            <text class="tick" x="-8" y={y + 4}>{(index * step).toLocaleString("en") + unit}</text>
          </g>
        );
      })}
      {columns.map(({ label, text, value, before, open }, index) => (
        <g key={label} class={open ? "day open" : "day"}>
          <rect class="hit" x={`${index * slot}%`} y="0" width={`${slot}%`} height={bottom} />
          {value > 0 && (
            <rect
              class="bar"
              x={`${(index + (1 - BAR) / 2) * slot}%`}
              y={bottom - heightOf(value)}
              width={`${BAR * slot}%`}
              height={heightOf(value)}
              rx="2"
            />
          )}
          {before !== undefined && before > 0 && (
            <line
              class="before"
              x1={`${(index + (1 - MARK) / 2) * slot}%`}
              x2={`${(index + (1 + MARK) / 2) * slot}%`}
              y1={bottom - heightOf(before)}
              y2={bottom - heightOf(before)}
            />
          )}
          {(columns.length - 1 - index) % every === 0 && (
            <text class="label" x={`${(index + 0.5) * slot}%`} y={bottom + AXIS - 8}>{label}</text>
          )}
          <title>{text}</title>
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
