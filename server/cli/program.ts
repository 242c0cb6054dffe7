import { Command } from "commander";
import { VERSION } from "../../shared/version.ts";
import { backupCommands } from "./commands/backup.ts";
import { formCommands } from "./commands/forms.ts";
import { jobCommands } from "./commands/jobs.ts";
import { peopleCommands } from "./commands/people.ts";
import { providerCommands } from "./commands/provider.ts";
import { saltCommands } from "./commands/salt.ts";
import { serviceCommands } from "./commands/service.ts";
import { settingsCommands } from "./commands/settings.ts";
import { signupCommands } from "./commands/signups.ts";
import type { Context } from "./context.ts";

const EXIT_CODES = `
Exit codes: 0 done, 1 error, 2 usage error, 3 not found.

The service is found by PORT and CFBE_BASE_URL, its token in CFBE_API_TOKEN or beside the database (CFBE_KV).`;

/** Every command there is; the documentation is checked against it. */
export function createProgram(context: Context): Command {
  const program = new Command("cfbe")
    .description(
      "Look after a newsletter signup service. Talks to the running one, or to its database if none runs.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .showHelpAfterError("Add --help to see how it is used.")
    .addHelpText("after", EXIT_CODES);
  signupCommands(program, context);
  peopleCommands(program, context);
  providerCommands(program, context);
  jobCommands(program, context);
  settingsCommands(program, context);
  formCommands(program, context);
  serviceCommands(program, context);
  backupCommands(program, context);
  saltCommands(program, context);
  return program;
}
