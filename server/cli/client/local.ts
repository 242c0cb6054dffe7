import { runAction } from "../../admin/action_table.ts";
import { LOCAL } from "../../admin/auth/actor.ts";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { withoutPassword } from "../../platform/kv/address.ts";
import type { Program } from "../../program/program.ts";
import { noted } from "../../operations/backup/backup_log.ts";
import { MoveFailed } from "../../operations/move/moves.ts";
import { takeBackup } from "../../operations/backup/snapshot.ts";
import { InvalidQuery, runQuery } from "../../operations/remote/queries.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import { failedFile } from "../../platform/kv/unusable.ts";
import { ClientError, EXIT } from "./error.ts";
import { refusal } from "./refusal.ts";
import type { Service } from "./service.ts";

/**
 * Returns a service that works on the database directly, because no service is running.
 *
 * @param invalid what is wrong with the saved settings that the program was opened without
 */
export function local(program: Program, invalid: readonly string[]): Service {
  const { services } = program;
  const { baseUrl, kv } = services.config;
  /** Names what is wrong with the database, if that is why the work failed. */
  const named = (error: unknown): never => {
    throw failedFile(embeddedFile(kv), error) ?? error;
  };
  const failed = (error: unknown): never => {
    if (error instanceof MoveFailed) throw new ClientError(error.message);
    return named(error);
  };
  return {
    address: undefined,
    notice: [
      `No service responds at ${baseUrl}. This is the database ${withoutPassword(kv ?? "of Deno Deploy")}.`,
      ...invalid.map((problem) => `Ignored: ${problem}`),
    ].join("\n"),
    query: (name, input) =>
      runQuery(services, name, input).catch((error) => {
        throw error instanceof InvalidQuery ? new ClientError(error.message, EXIT.usage) : error;
      }).catch(named),
    async act(action, input) {
      const outcome = await runAction(services, LOCAL, action, input).catch(named);
      if (!outcome.ok) throw refusal(outcome);
      return { message: outcome.message, data: outcome.data as never };
    },
    poll: (progress) => services.poll.run(undefined, progress).catch(named),
    async backup() {
      const end = await services.admin.audit.begin({ who: nameOf(LOCAL), action: "cfbe_backup" }).catch(
        named,
      );
      await end("done").catch(named);
      return noted(takeBackup(services), services);
    },
    moveDatabase: (to, progress) => program.moves.move(to, { progress }).catch(failed),
    planDatabaseMove: (to) => program.moves.dryRun(to).catch(failed),
    cancelDatabaseMove: () => program.moves.cancel().catch(failed),
    [Symbol.asyncDispose]: () => program.close(0),
  };
}
