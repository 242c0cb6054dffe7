import { type Context, Hono, type MiddlewareHandler } from "hono";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { asObject, parseJson } from "../../platform/http/request_body.ts";
import { type ApiError, type ErrorFormat, errorsAs, refuse } from "../../platform/http/errors.ts";
import { apiToken, type HasTokenActor } from "../../platform/http/guards/api_token.ts";
import { bodyLimit, type HasBody } from "../../platform/http/guards/body_limit.ts";
import { jsonObject } from "../../platform/http/guards/json_object.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import { databaseText } from "../../platform/kv/trouble.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Poll } from "../../signup/confirm/poll.ts";
import type { ClientIp } from "../../platform/http/visitor/client_ip.ts";
import { noted } from "../backup/backup_log.ts";
import { takeBackup } from "../backup/snapshot.ts";
import { proofRoute } from "./proof_route.ts";
import { InvalidQuery, isQueryName, queries, type QueryDeps, type QueryName, runQuery } from "./queries.ts";

const BODY_BYTES = 16 * 1024;
const PROOF_BODY_BYTES = 4 * 1024;
/** A backup leaves two thirds of the time to visitors. */
const BACKUP_REST = 2;

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

interface Deps extends QueryDeps {
  admin: { audit: Audit };
  poll: Poll;
  clientIp: ClientIp;
}

/** Returns the routes for the command line and for scripts, authenticated by the API token. */
export function opsRoutes(app: Deps): Hono {
  const routes = new Hono();
  // Without the token: the caller sends it only after this proof.
  routes.post(
    "/proof",
    errorsAs(opsErrors(app, PROOF_BODY_BYTES)),
    bodyLimit(app, PROOF_BODY_BYTES),
    jsonObject,
    proofRoute(app),
  );
  const { audit } = app.admin;
  routes.use("*", errorsAs(opsErrors(app, BODY_BYTES)), apiToken(app.config));
  routes.use("*", async (c: Context<HasTokenActor>, next) => {
    await audit.count({
      who: nameOf(c.var.actor),
      action: "cfbe_api_request",
      result: "done",
      from: { ip: await app.clientIp(c) },
    });
    await next();
  });

  // One JSON line per step, the last with `done`, because a poll may take minutes. A client that disconnects ends it.
  routes.post("/poll", (c) => {
    const disconnected = new AbortController();
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const line = (value: unknown) => {
          if (!disconnected.signal.aborted) controller.enqueue(encoder.encode(JSON.stringify(value) + "\n"));
        };
        const report = await app.poll.run(disconnected.signal, line);
        line({ ...report, done: true });
        if (!disconnected.signal.aborted) controller.close();
      },
      cancel: () => disconnected.abort(),
    });
    return c.body(body, 200, { "Content-Type": "application/x-ndjson" });
  });

  routes.get("/backup", async (c: Context<HasTokenActor>) => {
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
