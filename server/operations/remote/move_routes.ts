import type { Context, Hono, MiddlewareHandler } from "hono";
import { nameOf } from "../../platform/audit/actor_name.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Clock, Log } from "../../platform/deps.ts";
import { asObject, parseJson } from "../../platform/http/request_body.ts";
import { refuse } from "../../platform/http/errors.ts";
import { type HasTokenActor, needsScope } from "../../platform/http/guards/api_token.ts";
import { bodyLimit, type HasBody } from "../../platform/http/guards/body_limit.ts";
import type { ClientIp } from "../../platform/http/visitor/client_ip.ts";
import { TOKEN_ROUTES } from "../../platform/tokens/routes.ts";
import { type Moved, MoveFailed, type Moves, type PlannedMove } from "../move/moves.ts";
import type { MoveProgress } from "../move/rows.ts";
import { jsonLines } from "./json_lines.ts";

const BODY_BYTES = 4 * 1024;

/** A line of the response: how far the move is, or its end. */
export type MoveLine = MoveProgress | { moved: Moved } | { failed: string };

/** The whole response to a dry run. */
export type DryRunAnswer = { planned: PlannedMove } | { failed: string };

interface Deps {
  admin: { audit: Audit };
  clientIp: ClientIp;
  clock: Clock;
  log: Log;
  moves: Moves;
}

/**
 * Adds the routes that move the database to another one. A client that disconnects interrupts the move.
 *
 * @param counted counts a request of a token that may make it
 */
export function addMoveRoutes(routes: Hono, app: Deps, counted: MiddlewareHandler<HasTokenActor>): void {
  const { moves, log } = app;
  const { audit } = app.admin;
  async function begin(c: Context, action: "cfbe_move_database" | "cfbe_cancel_database_move") {
    const { actor } = c.var as HasTokenActor["Variables"];
    return await audit.begin({ who: nameOf(actor), action, from: { ip: await app.clientIp(c) } });
  }
  const textOf = (error: unknown): string => {
    if (error instanceof MoveFailed) return error.message;
    log.error("database.move_failed", { error });
    return error instanceof Error ? error.message : String(error);
  };

  routes.post(
    "/move-database",
    needsScope(TOKEN_ROUTES.moveDatabase.scope),
    counted,
    bodyLimit(app, BODY_BYTES),
    async (c: Context<HasBody & HasTokenActor>) => {
      const { to, dryRun } = asObject(parseJson(c.var.body)) ?? {};
      if (typeof to !== "string" || to === "") {
        return await refuse(c, "invalid", { detail: "`to` must be an address." });
      }
      if (dryRun === true) {
        const answer = await moves.dryRun(to)
          .then((planned): DryRunAnswer => ({ planned }), (error) => ({ failed: textOf(error) }));
        return c.json(answer);
      }
      const end = await begin(c, "cfbe_move_database");
      const body = jsonLines(async (line, signal) => {
        try {
          const moved = await moves.move(to, { signal, progress: line });
          await end("done");
          line({ moved } satisfies MoveLine);
        } catch (error) {
          await end("failed").catch(() => {});
          if (error === signal.reason) log.info("database.move_interrupted");
          else line({ failed: textOf(error) } satisfies MoveLine);
        }
      });
      return c.body(body, 200, { "Content-Type": "application/x-ndjson" });
    },
  );

  routes.post(
    "/cancel-database-move",
    needsScope(TOKEN_ROUTES.cancelDatabaseMove.scope),
    counted,
    async (c: Context<HasTokenActor>) => {
      const end = await begin(c, "cfbe_cancel_database_move");
      try {
        const canceled = await moves.cancel();
        await end("done");
        return c.json(canceled);
      } catch (error) {
        await end("failed").catch(() => {});
        return await refuse(c, "conflict", { detail: textOf(error) });
      }
    },
  );
}
