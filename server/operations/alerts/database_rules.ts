import { databaseText, mayPass } from "../../platform/kv/trouble.ts";
import type { DatabaseHealth } from "../../platform/observe/database_health.ts";
import type { DatabaseFacts, Facts, Problem, Rule } from "./problem.ts";

/** A disk with less free space than this, or than this part of a small one, is reported. */
const LOW_BYTES = 512 * 1024 * 1024;
const LOW_PART = 1 / 10;
/** With this part of it, signups are about to fail. */
const ALMOST_FULL_PART = 1 / 4;

export function readDatabaseFacts(health: DatabaseHealth, file: string | undefined): DatabaseFacts {
  return { failure: health.failure() ?? health.damage(), file, disk: health.disk() };
}

/** The database fails. Its alert is kept in memory, because it can't be stored (see `createDatabaseAlert`). */
export const databaseFailing = ({ failure, file }: DatabaseFacts): Problem | undefined => {
  if (!failure) return undefined;
  const { what, todo } = databaseText(failure, file);
  return {
    id: "database.failing",
    tone: "bad",
    what: `${what} Signups are rejected.`,
    todo,
    todoForOthers: "Ask whoever runs cfbe to repair it now.",
    ...(!mayPass(failure.cause) && { certain: true }),
  };
};

export const databaseFails: Rule = ({ database }) => databaseFailing(database);

export const diskLow = ({ database: { disk, failure } }: Pick<Facts, "database">): Problem | undefined => {
  if (!disk || failure?.cause === "full") return undefined;
  const low = Math.min(LOW_BYTES, disk.total * LOW_PART);
  if (disk.free >= low) return undefined;
  return {
    id: "disk.low",
    tone: disk.free < low * ALMOST_FULL_PART ? "bad" : "warn",
    what: `Only ${
      Math.round(disk.free / 1024 / 1024)
    } MB are free on the disk of the database (${disk.folder}).`,
    todo:
      "Free some space, or move the database to a larger disk. When the disk is full, all signups are rejected.",
  };
};
