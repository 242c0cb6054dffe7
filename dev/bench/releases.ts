/** The figures of each release, which are kept in `releases.json`. */
import { FIGURES } from "./figures.ts";

/** What a release was measured with. Figures of different machines say little about each other. */
export interface Machine {
  cores: number;
  /** Model of the processor, or `unknown`. */
  processor: string;
  deno: string;
}

export interface MeasuredRelease {
  version: string;
  /** Such as `2026-12-01`. */
  day: string;
  machine: Machine;
  /** By the keys of `figures.ts`. */
  figures: Record<string, number>;
}

/** The figures that the table of releases shows. The file has all. */
const SHOWN = {
  "accepted.perSecond": "accepted per second",
  "accepted.toFixed": "accepted ÷ bare commits",
  "delivered.toBare": "CPU time ÷ a bare program",
  "delivered.p99": "signup to provider, 99th percentile",
  "token.toBare": "form tokens ÷ bare route",
  "memory.resident": "resident memory, highest",
  "start.firstAnswer": "start to first response",
  "pages.slowest": "slowest admin page",
  "sizes.form": "form with the loader",
};

/** Returns the model in the text of `/proc/cpuinfo`. */
export const processorIn = (text: string) => /^model name\s*:\s*(.+?)\s*$/m.exec(text)?.[1] ?? "unknown";

/** Adds a release, or replaces it if it was measured before. */
export function withRelease(
  releases: readonly MeasuredRelease[],
  release: MeasuredRelease,
): MeasuredRelease[] {
  const at = releases.findIndex(({ version }) => version === release.version);
  return at === -1 ? [...releases, release] : releases.with(at, release);
}

/** Returns the releases as a Markdown table, the newest first. */
export function releasesAsMarkdown(releases: readonly MeasuredRelease[]): string {
  if (releases.length === 0) return "No release has been measured yet.";
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const heading = ["release", "measured", "machine", ...Object.values(SHOWN)];
  const rows = releases.toReversed().map(({ version, day, machine, figures }) => [
    version,
    day,
    `${machine.cores} cores, ${machine.processor}, Deno ${machine.deno}`,
    ...Object.keys(SHOWN).map((key) => figures[key] === undefined ? "–" : FIGURES[key]!.show(figures[key])),
  ]);
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
