import { diskLow, readDatabaseFacts } from "../alerts/database_rules.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import { causeOf, type DatabaseCause, databaseText } from "../../platform/kv/trouble.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Check, type DoctorDeps, type Finding, finding, type Skipped } from "./finding.ts";

const DAMAGES: readonly DatabaseCause[] = ["damaged", "replaced", "missing"];

/** Checks that the database can be read and written, and was not damaged or replaced. */
export const databaseCheck: Check = { name: "the database is writable", run: checkDatabase };

async function checkDatabase({ kv, databaseHealth, config, clock }: DoctorDeps): Promise<Finding[]> {
  const file = embeddedFile(config.kv);
  await databaseHealth.probeNow();
  const [row, value] = [keys.doctor(), { v: 1, at: clock.now() }];
  const error = await kv.set(row, value).then(() => kv.delete(row)).catch((error: unknown) => error);
  const reason = error instanceof Error ? error.message : String(error);
  const failure = databaseHealth.failure() ?? databaseHealth.damage() ??
    (error === undefined ? undefined : { cause: causeOf(error) ?? "other", reason });
  if (!failure) return [];
  const id = DAMAGES.includes(failure.cause) ? "database.damaged" : "database.not_writable";
  return [finding("error", id, {
    ...databaseText(failure, file),
    why: "Signups fail, and nothing is saved.",
  })];
}

/** Checks that the disk of an embedded database has space left. */
export const diskCheck: Check = { name: "the disk has free space", run: checkDisk };

async function checkDisk({ databaseHealth, config }: DoctorDeps): Promise<Finding[] | Skipped> {
  await databaseHealth.probe();
  const file = embeddedFile(config.kv);
  const database = readDatabaseFacts(databaseHealth, file);
  if (file === undefined) {
    return {
      skipped:
        "No disk of this machine: the database is in memory or on a server. To use a file, set CFBE_KV.",
    };
  }
  if (!database.disk) {
    return { skipped: "The system does not show its free space. Allow it with --allow-sys=statfs." };
  }
  const low = diskLow({ database });
  return low
    ? [finding(low.tone === "bad" ? "error" : "warning", "disk.low", {
      what: low.what,
      why: "When the disk is full, all signups are rejected.",
      todo: "Free some space, or move the database to a larger disk.",
    })]
    : [];
}
