import type { VNode } from "preact";

/** A range at one time. */
export interface IntervalPoint {
  /** For the axis, such as "3 Nov". */
  label: string;
  /** Tooltip. */
  text: string;
  estimate: number;
  from: number;
  to: number;
}

const HEIGHT = 168;
const TOP = 12;
const AXIS = 26;
const LABELS = 5;
/** Places on the axis. With fewer points, the rest stays empty. */
const FEWEST_SLOTS = 10;
/** How much wider than the last interval the scale is. The first intervals are much wider, and are cut off. */
const SCALE = 2;

/** Ranges over time, as vertical lines with a mark at the estimate, and a line at zero. */
export function IntervalChart(
  { id, title, description, points, tick }: {
    id: string;
    title: string;
    /** For screen readers. */
    description: string;
    points: readonly IntervalPoint[];
    /** Returns the text of a value of the scale. */
    tick(value: number): string;
  },
): VNode {
  const slot = 100 / Math.max(points.length, FEWEST_SLOTS);
  const last = points.at(-1)!;
  const widest = Math.max(Math.abs(last.from), Math.abs(last.to), 1e-9);
  const step = stepFor(widest * (points.length > 1 ? SCALE : 1) / 2);
  const max = step * 2;
  const heightOf = (value: number) => TOP + HEIGHT / 2 * (1 - Math.max(-1, Math.min(1, value / max)));
  // In the middle of its bar, the label would not fit into the chart.
  const isAtEnd = (index: number) => (index + 1) * slot > 99;
  const every = Math.ceil(points.length / LABELS);
  return (
    <svg
      class="chart intervals"
      role="img"
      width="100%"
      height={TOP + HEIGHT + AXIS}
      aria-labelledby={`${id}-title ${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      {[step, 0, -step].map((value) => (
        <g key={value}>
          <line
            class={value === 0 ? "base" : "grid"}
            x1="0"
            x2="100%"
            y1={heightOf(value)}
            y2={heightOf(value)}
          />
          <text class="tick" x="-8" y={heightOf(value) + 4}>{tick(value)}</text>
        </g>
      ))}
      {points.map(({ label, text, estimate, from, to }, index) => (
        <g key={label} class="day">
          <rect class="hit" x={`${index * slot}%`} y="0" width={`${slot}%`} height={TOP + HEIGHT} />
          <rect
            class="bar"
            x={`${(index + 0.3) * slot}%`}
            y={heightOf(to)}
            width={`${slot * 0.4}%`}
            height={Math.max(1, heightOf(from) - heightOf(to))}
          />
          <line
            class="before"
            x1={`${(index + 0.1) * slot}%`}
            x2={`${(index + 0.9) * slot}%`}
            y1={heightOf(estimate)}
            y2={heightOf(estimate)}
          />
          {(points.length - 1 - index) % every === 0 && (
            <text
              class={isAtEnd(index) ? "label at-end" : "label"}
              x={isAtEnd(index) ? "100%" : `${(index + 0.5) * slot}%`}
              y={TOP + HEIGHT + AXIS - 8}
            >
              {label}
            </text>
          )}
          <title>{text}</title>
        </g>
      ))}
    </svg>
  );
}

/** Returns a round number that is at least `value`. */
function stepFor(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((times) => times * power >= value)!;
}
