import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { type DatabaseCause, databaseText, mayPass, restoreAdvice } from "../../platform/kv/trouble.ts";
import { check, type Found } from "./check.ts";
import type { DatabaseFacts, FileMode } from "./values.ts";

/** A disk with less free space than this, or than this part of a small one, is reported. */
const LOW_BYTES = 512 * 1024 * 1024;
const LOW_PART = 1 / 10;
/** With this part of it, signups are about to fail. */
const ALMOST_FULL_PART = 1 / 4;
const LOST_AT_STOP = {
  signups: "Signups are lost when cfbe stops.",
  why: "cfbe still saves to a file that nobody can open any more.",
};
/** What damage of the file means. */
const DAMAGES: Partial<Record<DatabaseCause, { signups: string; why: string }>> = {
  damaged: { signups: "Signups may be rejected.", why: "What is damaged can be neither read nor saved." },
  replaced: LOST_AT_STOP,
  missing: LOST_AT_STOP,
};
const NOTHING_SAVED = { signups: "Signups are rejected.", why: "Nothing can be saved." };

/** The database fails. Its alert is kept in memory, because it can't be stored (see `createDatabaseAlert`). */
const failing = (id: string, of: (failure: NonNullable<DatabaseFacts["failure"]>) => boolean) =>
  check(id, "bad", {
    in: { alert: "database", overview: true, doctor: "the database is writable", ready: "database" },
    reads: ["database"],
    find({ database: { failure, file } }) {
      if (!failure || !of(failure)) return undefined;
      const { what, todo } = databaseText(failure, file);
      const { signups, why } = DAMAGES[failure.cause] ?? NOTHING_SAVED;
      return {
        what: `${what} ${signups}`,
        why,
        todo,
        todoForOthers: "Ask whoever runs cfbe to repair it now.",
        ...(!mayPass(failure.cause) && { certain: true }),
      };
    },
  });

/** Any permission for the file's group or for others. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In a sticky folder, such as `/tmp`, only the owner of a file can replace it. */
const STICKY = 0o1000;

/** Other users of this machine have a permission on the service's files. */
const exposed = (
  id: string,
  of: FileMode["of"],
  { bits, text, ...places }: {
    bits: number;
    text(file: { path: string; mode: string }): Found;
    start?: true;
  },
) =>
  check(id, "bad", {
    in: { doctor: "the database, salt and token files are private", ...places },
    reads: ["files"],
    find: ({ files }) =>
      files.filter((file) => file.of === of && (file.mode & bits) !== 0)
        .filter(({ mode }) => of !== "folder" || (mode & STICKY) === 0)
        .map(({ path, mode }) => text({ path, mode: (mode & 0o777).toString(8) })),
  });

const readable = (why: string) => ({
  bits: OTHERS,
  text: ({ path, mode }: { path: string; mode: string }) => ({
    what: `${path} is readable by other users: its mode is ${mode}.`,
    why,
    todo: `Run: chmod 600 ${path}`,
  }),
});

export const databaseChecks = [
  failing("database.damaged", ({ cause, ofRows }) => cause in DAMAGES && !ofRows),
  failing("database.not_writable", ({ cause }) => !(cause in DAMAGES)),
  check("database.rows_damaged", "bad", {
    in: { alert: "database", overview: true, doctor: "the database is writable" },
    reads: ["database"],
    find: ({ database: { failure, file } }) =>
      failure?.ofRows && {
        what: `A row of ${file ?? "the database"} can't be read: ${failure.reason}.`,
        why: "Whatever needs this row fails. Everything else works.",
        todo: file === undefined
          ? "Look for damage in the data of the database's server."
          : `To see how many there are, stop cfbe and run \`${cfbeCommand()} doctor --full\`. ${
            restoreAdvice(file)
          }`,
        todoForOthers: "Ask whoever runs cfbe to look at the database.",
        certain: true,
      },
  }),
  check("disk.low", "warn", {
    in: { alert: "disk", overview: true, doctor: "the disk has free space" },
    reads: ["database"],
    find({ database: { disk, failure, file } }) {
      if (file === undefined) {
        return {
          skipped:
            "No disk of this machine: the database is in memory or on a server. To use a file, set CFBE_KV.",
        };
      }
      if (!disk) {
        return { skipped: "The system does not show its free space. Allow it with --allow-sys=statfs." };
      }
      const low = Math.min(LOW_BYTES, disk.total * LOW_PART);
      if (disk.free >= low || failure?.cause === "full") return undefined;
      const free = Math.round(disk.free / 1024 / 1024);
      return {
        tone: disk.free < low * ALMOST_FULL_PART ? "bad" : "warn",
        what: `Only ${free} MB are free on the disk of the database (${disk.folder}).`,
        why: "When the disk is full, all signups are rejected.",
        todo:
          "Free some space, or move the database to a larger disk. When the disk is full, all signups are rejected.",
      };
    },
  }),
  exposed(
    "secrets.salt_mode",
    "salt",
    readable(
      "Anyone who can read the salt can forge form tokens and signed forms, and decrypt saved secrets.",
    ),
  ),
  exposed("secrets.token_mode", "token", readable("Anyone who can read the token can use the API.")),
  exposed("database.mode", "database", readable("It contains the addresses of all subscribers.")),
  exposed("database.folder_mode", "folder", {
    bits: OTHERS_WRITE,
    // A start corrects the modes of everything else.
    start: true,
    text: ({ path, mode }) => ({
      what: `The folder ${path} is writable by other users: its mode is ${mode}.`,
      why: "They can replace your database or salt.",
      todo: `Run: chmod 700 ${path}`,
    }),
  }),
];
