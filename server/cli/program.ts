import { Command } from "commander";
import { VERSION } from "../../shared/version.ts";
import { alertCommands } from "./commands/alerts.ts";
import { backupCommands } from "./commands/backup.ts";
import { databaseCommands } from "./commands/database.ts";
import { experimentCommands } from "./commands/experiments.ts";
import { formCommands } from "./commands/forms.ts";
import { keyCommands } from "./commands/keys.ts";
import { migrationCommands } from "./commands/migration.ts";
import { jobCommands } from "./commands/jobs.ts";
import { peopleCommands } from "./commands/people.ts";
import { providerCommands } from "./commands/provider.ts";
import { saltCommands } from "./commands/salt.ts";
import { serviceCommands } from "./commands/service.ts";
import { settingsCommands } from "./commands/settings.ts";
import { signupCommands } from "./commands/signups.ts";
import { auditCommands } from "./commands/audit.ts";
import { siteCommands } from "./commands/sites.ts";
import { tokenCommands } from "./commands/tokens.ts";
import { userCommands } from "./commands/users.ts";
import type { Context } from "./context.ts";

const EXIT_CODES = `
Exit codes: 0 success, 1 error, 2 usage error, 3 not found.

Connects to the service at PORT and CFBE_BASE_URL, with the token in CFBE_API_TOKEN or the token file next to
the database (CFBE_KV). A token of \`tokens add\` does what its scopes include.`;

/** Returns the program with every command. A test compares the documentation with it. */
export function createProgram(context: Context): Command {
  const program = new Command("cfbe")
    .description(
      "Manage a cfbe newsletter signup service. Connects to the running service, or opens the database if none is running.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .showHelpAfterError("Run with --help for usage.")
    .addHelpText("after", EXIT_CODES);
  signupCommands(program, context);
  peopleCommands(program, context);
  providerCommands(program, context);
  migrationCommands(program, context);
  alertCommands(program, context);
  jobCommands(program, context);
  settingsCommands(program, context);
  formCommands(program, context);
  experimentCommands(program, context);
  userCommands(program, context);
  tokenCommands(program, context);
  siteCommands(program, context);
  auditCommands(program, context);
  serviceCommands(program, context);
  backupCommands(program, context);
  databaseCommands(program, context);
  keyCommands(program, context);
  saltCommands(program, context);
  return program;
}
