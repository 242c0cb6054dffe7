import { cfbeCommand } from "../cfbe_command.ts";
import { ConfigError } from "../config.ts";
import type { Diagnosis } from "../ops/doctor/doctor.ts";
import { type Finding, finding } from "../ops/doctor/finding.ts";
import { DatabaseUnusable } from "../kv/unusable.ts";
import { WrongSalt } from "../ops/salts.ts";
import { openService } from "../client/open.ts";
import type { Service } from "../client/service.ts";

const REST = "all other checks";
const REST_REASON =
  "They need the configuration and the database. Fix the problem above, then run the doctor again.";

/** Returns the doctor's findings, even if the service is not running and its database cannot be opened. */
export async function examine(env: Record<string, string | undefined>): Promise<Diagnosis> {
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
  const stopped = finding("error", "service.not_running", {
    what: `The service is not running, so only its database was checked. ${open.notice}`,
    why: "Nobody can sign up, and nothing is delivered or confirmed.",
    todo: "Start the service, or set PORT and CFBE_BASE_URL to the values it uses.",
  });
  return { ...diagnosis, ok: false, findings: [stopped, ...diagnosis.findings] };
}

function findingFor(error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigError) {
    return finding("error", "config", {
      what: message,
      why: "The service does not start with this configuration.",
      todo: "Correct these values in the environment or the config file.",
    });
  }
  if (error instanceof WrongSalt) {
    return finding("error", "salt.other", {
      what: message,
      why:
        "The service does not start: with another salt, encrypted, signed and hashed data cannot be found.",
      todo: "Set CFBE_SALT, or run the doctor with the environment of the service.",
    });
  }
  if (error instanceof DatabaseUnusable) {
    return finding("error", "database.unusable", {
      what: message,
      why: "The service does not start without its database.",
      todo:
        "Check that CFBE_KV is the right file, that the disk is not full, and that this user owns the folder. To " +
        `replace a damaged file, run \`${cfbeCommand()} restore <file>\`.`,
    });
  }
  return finding("error", "service.unanswering", {
    what: message,
    why: "The service cannot be checked.",
    todo: "Run the doctor with the environment of the service.",
  });
}
