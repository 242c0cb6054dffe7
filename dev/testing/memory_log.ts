import type { Log } from "../../server/platform/deps.ts";

export interface LogEntry {
  level: "info" | "warn" | "error";
  event: string;
  fields: Record<string, unknown>;
}

/** A log that keeps its entries, oldest first, for a test to read. */
export interface MemoryLog extends Log {
  readonly entries: LogEntry[];
  /** Returns the entries of one event. */
  of(event: string): LogEntry[];
}

export function memoryLog(): MemoryLog {
  const entries: LogEntry[] = [];
  const keep = (level: LogEntry["level"]) => (event: string, fields: Record<string, unknown> = {}) => {
    entries.push({ level, event, fields });
  };
  return {
    entries,
    of: (event) => entries.filter((entry) => entry.event === event),
    info: keep("info"),
    warn: keep("warn"),
    error: keep("error"),
  };
}
