import { type Context, Hono, type MiddlewareHandler } from "hono";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { asObject, parseJson } from "../../platform/http/request_body.ts";
import { type ApiError, type ErrorFormat, errorsAs, refuse } from "../../platform/http/errors.ts";
import { apiToken, type HasTokenActor, needsScope } from "../../platform/http/guards/api_token.ts";
import { type WrongTokenDeps, wrongTokens } from "../../platform/http/guards/wrong_tokens.ts";
import { bodyLimit, type HasBody } from "../../platform/http/guards/body_limit.ts";
import { jsonObject } from "../../platform/http/guards/json_object.ts";
import { TOKEN_ROUTES } from "../../platform/tokens/routes.ts";
import type { ApiTokens } from "../../platform/tokens/store.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import { databaseText } from "../../platform/kv/trouble.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Poll } from "../../signup/confirm/poll.ts";
import type { ClientIp } from "../../platform/http/visitor/client_ip.ts";
import { noted } from "../backup/backup_log.ts";
import { BACKUP_REST, takeBackup } from "../backup/snapshot.ts";
import type { Moves } from "../move/moves.ts";
import { jsonLines } from "./json_lines.ts";
import { addMoveRoutes } from "./move_routes.ts";
import { proofRoute } from "./proof_route.ts";
import { InvalidQuery, isQueryName, queries, type QueryDeps, type QueryName, runQuery } from "./queries.ts";

const BODY_BYTES = 16 * 1024;
const PROOF_BODY_BYTES = 4 * 1024;

/** Returns the error format of a route with this body limit. */
function opsErrors({ databaseHealth, config }: Deps, maxBytes: number): ErrorFormat {
  function textOf({ code, message, detail }: ApiError): string {
    if (code === "too_large") return `The body is larger than ${maxBytes} bytes.`;
    const failure = code === "rejected" && detail === undefined && databaseHealth.failure();
    if (!failure) return message;
    const { what, todo } = databaseText(failure, embeddedFile(config.kv));
    return `${what} ${todo}`;
  }
  return { respond: (error, c) => c.json({ error: textOf(error) }, error.status) };
}

/** Returns how many people's records a result contains. */
function peopleIn(result: unknown): number {
  const { records } = result as { records?: unknown };
  return Array.isArray(records) ? records.length : 0;
}

/** Rejects an unknown query with 404 before its body is read. */
const knownQuery: MiddlewareHandler = async (c, next) => {
  if (isQueryName(c.req.param("query") ?? "")) return await next();
  return refuse(c, "not_found", { detail: `Use one of: ${Object.keys(queries).join(", ")}.` });
};

interface Deps extends QueryDeps, Omit<WrongTokenDeps, "kv" | "clock" | "random" | "admin" | "config"> {
  admin: QueryDeps["admin"] & { audit: Audit };
  apiTokens: ApiTokens;
  poll: Poll;
  clientIp: ClientIp;
  moves: Moves;
}

/** The scopes and the expiry of the token that calls, for agents and scripts that adapt to it. */
export interface OwnToken {
  scopes: readonly string[];
  /** Absent for the token of the environment, which has no name. */
  name?: string;
  /** Unix milliseconds; absent if it never expires. */
  expiresAt?: number;
}

/** Returns the routes for the command line and for scripts, authenticated by an API token with the scope of each. */
export function opsRoutes(app: Deps): Hono {
  const routes = new Hono();
  // Without the token: the caller sends it only after this proof.
  routes.post(
    "/proof",
    errorsAs(opsErrors(app, PROOF_BODY_BYTES)),
    wrongTokens(app, { always: true }),
    bodyLimit(app, PROOF_BODY_BYTES),
    jsonObject,
    proofRoute(app),
  );
  const { audit } = app.admin;
  routes.use("*", errorsAs(opsErrors(app, BODY_BYTES)), wrongTokens(app), apiToken(app));
  const count = async (c: Context<HasTokenActor>, result: "done" | "refused") =>
    await audit.count({
      who: nameOf(c.var.actor),
      action: "cfbe_api_request",
      result,
      from: { ip: await app.clientIp(c) },
    });
  routes.use("*", async (c: Context<HasTokenActor>, next) => {
    await next();
    if (c.res.status === 403 || c.res.status === 404) await count(c, "refused");
  });
  /** Comes after what refuses a token, and before what it asks for, so that nothing is done without an entry. */
  const counted: MiddlewareHandler<HasTokenActor> = async (c, next) => {
    await count(c, "done");
    await next();
  };

  // One JSON line per step, the last with `done`, because a poll may take minutes. A client that disconnects ends it.
  routes.post("/poll", needsScope(TOKEN_ROUTES.poll.scope), counted, (c) => {
    return c.body(
      jsonLines(async (line, signal) => line({ ...await app.poll.run(signal, line), done: true })),
      200,
      { "Content-Type": "application/x-ndjson" },
    );
  });

  routes.get("/token", counted, (c: Context<HasTokenActor>) => {
    const { scopes, token } = c.var.actor;
    const { name, expiresAt } = token ?? {};
    return c.json(
      {
        scopes,
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt }),
      } satisfies OwnToken,
    );
  });

  addMoveRoutes(routes, app, counted);

  routes.get("/backup", needsScope(TOKEN_ROUTES.backup.scope), counted, async (c: Context<HasTokenActor>) => {
    const end = await audit.begin({
      who: nameOf(c.var.actor),
      action: "cfbe_backup",
      from: { ip: await app.clientIp(c) },
    });
    await end("done");
    const headers = {
      "Content-Type": "application/gzip",
      "Content-Disposition": "attachment; filename=cfbe-backup.gz",
    };
    return c.body(
      noted(takeBackup({ ...app, rest: BACKUP_REST }), app) as ReadableStream<Uint8Array<ArrayBuffer>>,
      200,
      headers,
    );
  });

  // POST, because proxies log email addresses in a query string. GET for queries without input, as scrapers use it.
  routes.on(
    ["GET", "POST"],
    "/:query",
    knownQuery,
    needsScope((c) => queries[c.req.param("query") as QueryName].scope),
    counted,
    bodyLimit(app, BODY_BYTES),
    async (c: Context<HasBody & HasTokenActor>) => {
      const name = c.req.param("query") as QueryName;
      const input = c.req.method === "GET" ? {} : asObject(parseJson(c.var.body));
      try {
        const result = await runQuery(app, name, input);
        const by = peopleIn(result);
        if (by > 0) {
          const from = { ip: await app.clientIp(c) };
          await audit.count({
            who: nameOf(c.var.actor),
            action: "cfbe_read_subscribers",
            result: "done",
            by,
            from,
          });
        }
        return c.json(result);
      } catch (error) {
        if (!(error instanceof InvalidQuery)) throw error;
        return c.json({ error: error.message }, 400);
      }
    },
  );
  return routes;
}
