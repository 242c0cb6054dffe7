import { readEnvironment } from "../settings/store/environment.ts";
import { ConfigError } from "../platform/config/config.ts";
import { checkWholeFile } from "../platform/kv/database_file.ts";
import { embeddedFile } from "../platform/kv/open.ts";
import { restoreAdvice } from "../platform/kv/trouble.ts";
import type { Diagnosis } from "../operations/doctor/doctor.ts";
import type { Skipped } from "../operations/checks/values.ts";
import { type Finding, finding } from "../operations/doctor/finding.ts";
import { DatabaseUnusable } from "../platform/kv/unusable.ts";
import { WrongSalt } from "../operations/database/salts.ts";
import { openService } from "./client/open.ts";
import type { Service } from "./client/service.ts";

const WHOLE_FILE = "every page and value of the database file can be read";
const REST = "all other checks";
const REST_REASON =
  "They need the configuration and the database. Fix the problem above, then run the doctor again.";

/**
 * Returns the doctor's findings, even if the service is not running and its database cannot be opened.
 *
 * @param full whether to read the whole file of an embedded database, too
 */
export async function examine(
  env: Record<string, string | undefined>,
  { full = false }: { full?: boolean } = {},
): Promise<Diagnosis> {
  const diagnosis = await examineService(env);
  // Without a valid configuration, there is no file to read.
  if (!full || diagnosis.findings.some(({ id }) => id === "config")) return diagnosis;
  const found = await wholeFileFindings(embeddedFile(readEnvironment(env).kv));
  if ("skipped" in found) {
    return {
      ...diagnosis,
      skipped: [...diagnosis.skipped, WHOLE_FILE],
      reasons: { ...diagnosis.reasons, [WHOLE_FILE]: found.skipped },
    };
  }
  if (found.length === 0) return { ...diagnosis, passed: [...diagnosis.passed, WHOLE_FILE] };
  return { ...diagnosis, ok: false, findings: [...found, ...diagnosis.findings] };
}

/** Reads the file in this process: it would block the service for as long as it takes. */
async function wholeFileFindings(file: string | undefined): Promise<Finding[] | Skipped> {
  if (file === undefined) return { skipped: "The database is not a file on this machine." };
  const problems = await checkWholeFile(file).catch((error: Error) => [error.message]);
  return problems.length === 0 ? [] : [finding({
    id: "database.damaged",
    tone: "bad",
    what: `The database file ${file} is damaged: ${problems.join("; ")}.`,
    why: "Signups and other data are lost, or cannot be read.",
    todo: restoreAdvice(file),
  })];
}

async function examineService(env: Record<string, string | undefined>): Promise<Diagnosis> {
  let service: Service;
  try {
    service = await openService(env);
  } catch (error) {
    return {
      ok: false,
      findings: [findingFor(error)],
      passed: [],
      skipped: [REST],
      reasons: { [REST]: REST_REASON },
    };
  }
  await using open = service;
  const diagnosis = await open.query("doctor", {});
  if (open.address !== undefined) return diagnosis;
  const stopped = finding({
    id: "service.not_running",
    tone: "bad",
    what: `The service is not running, so only its database was checked. ${open.notice}`,
    why: "Nobody can sign up, and nothing is delivered or confirmed.",
    todo: "Start the service, or set PORT and CFBE_BASE_URL to the values it uses.",
  });
  return { ...diagnosis, ok: false, findings: [stopped, ...diagnosis.findings] };
}

function findingFor(error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigError) {
    return finding({
      id: "config",
      tone: "bad",
      what: message,
      why: "The service does not start with this configuration.",
      todo: "Correct these values in the environment or the config file.",
    });
  }
  if (error instanceof WrongSalt) {
    return finding({
      id: "salt.other",
      tone: "bad",
      what: message,
      why:
        "The service does not start: with another salt, encrypted, signed and hashed data cannot be found.",
      todo: "Set CFBE_SALT, or run the doctor with the environment of the service.",
    });
  }
  if (error instanceof DatabaseUnusable) {
    return finding({
      id: "database.unusable",
      tone: "bad",
      what: message,
      why: "The service does not start without its database.",
      todo: "Follow the advice above. If the message does not help, run the doctor with --full.",
    });
  }
  return finding({
    id: "service.unanswering",
    tone: "bad",
    what: message,
    why: "The service cannot be checked.",
    todo: "Run the doctor with the environment of the service.",
  });
}
