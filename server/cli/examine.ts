import { ConfigError } from "../config.ts";
import type { Diagnosis } from "../ops/doctor/doctor.ts";
import { type Finding, finding } from "../ops/doctor/finding.ts";
import { DatabaseUnusable } from "../kv/unusable.ts";
import { WrongSalt } from "../ops/salts.ts";
import { openService } from "../client/open.ts";
import type { Service } from "../client/service.ts";

/** The doctor's findings, also where the service does not run and its database can't be opened. */
export async function examine(env: Record<string, string | undefined>): Promise<Diagnosis> {
  let service: Service;
  try {
    service = await openService(env);
  } catch (error) {
    return { ok: false, findings: [whyNot(error)], well: [], skipped: ["everything else"] };
  }
  await using open = service;
  const diagnosis = await open.ask("doctor", {});
  if (open.address !== undefined) return diagnosis;
  const stopped = finding("error", "service.not_running", {
    what: "No service runs; its database was opened instead.",
    why: "Nobody can sign up, and nothing is delivered or confirmed.",
    todo: "Start it, or set PORT and CFBE_BASE_URL here as you did for it.",
  });
  return { ...diagnosis, ok: false, findings: [stopped, ...diagnosis.findings] };
}

function whyNot(error: unknown): Finding {
  const says = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigError) {
    return finding("error", "config", {
      what: says,
      why: "The service does not start with it.",
      todo: "Correct each of these in the environment or the config file.",
    });
  }
  if (error instanceof WrongSalt) {
    return finding("error", "salt.other", {
      what: says,
      why: "The service does not start: nothing that was sealed, signed or hashed would be found.",
      todo: "Set the salt, or run the doctor with the service's own environment.",
    });
  }
  if (error instanceof DatabaseUnusable) {
    return finding("error", "database.unusable", {
      what: says,
      why: "The service does not start without it.",
      todo:
        "See whether CFBE_KV names the right file, on a disk that is not full, in a folder of this user's. A " +
        "damaged one is replaced with `deno task cfbe restore <file>`.",
    });
  }
  return finding("error", "service.unanswering", {
    what: says,
    why: "It can't be asked how it is.",
    todo: "Run the doctor again with the service's own environment.",
  });
}
