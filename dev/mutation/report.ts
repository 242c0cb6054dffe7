/** The part of Stryker's JSON report that is read here: https://github.com/stryker-mutator/mutation-testing-elements. */
export interface MutationReport {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
  status: string;
  replacement?: string;
  location: { start: Position; end: Position };
}

/** Both numbers count from 1. */
interface Position {
  line: number;
  column: number;
}

/** How well the tests of one file notice mutations of it. */
export interface FileScore {
  file: string;
  /** Mutants that made a test fail, or hang. */
  caught: number;
  total: number;
  /** Mutants that no test noticed, as `file:line  before → after`. */
  survivors: string[];
}

const SHOWN_CHARACTERS = 100;

/** Returns the score of each file, in the order of the report. Mutants that do not compile are not counted. */
export function scoresOf(report: MutationReport): FileScore[] {
  return Object.entries(report.files).map(([file, { source, mutants }]) => {
    const caught = mutants.filter(({ status }) => status === "Killed" || status === "Timeout").length;
    const survivors = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map(({ location: { start, end }, replacement = "" }) =>
        `${file}:${start.line}  ${short(textBetween(source, start, end))} → ${short(replacement)}`
      );
    return { file, caught, total: caught + survivors.length, survivors };
  });
}

/** Returns the share of caught mutants in percent; 100 without mutants. */
export function percentCaught(scores: readonly Pick<FileScore, "caught" | "total">[]): number {
  const caught = scores.reduce((sum, score) => sum + score.caught, 0);
  const total = scores.reduce((sum, score) => sum + score.total, 0);
  return total === 0 ? 100 : 100 * caught / total;
}

function textBetween(source: string, start: Position, end: Position): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines.push(lines.pop()?.slice(0, end.column - 1) ?? "");
  lines.unshift(lines.shift()?.slice(start.column - 1) ?? "");
  return lines.join("\n");
}

function short(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line || "(nothing)";
}
