import type { Context } from "hono";
import { ADMIN_PATH, pathPrefix } from "../config.ts";
import type { AdminServices } from "./services.ts";
import type { Done } from "./action.ts";
import { type Actor, actorMay } from "./auth/actor.ts";
import type { From } from "../audit/audit.ts";
import { fromOf } from "./auth/from.ts";
import { CAPABILITIES, type Capability } from "./auth/capability.ts";
import type { Flash } from "./auth/cookies.ts";
import type { Posted } from "./ajax_body.ts";
import { issueNonce } from "./auth/nonce.ts";
import { actionNamed } from "./actions/table.ts";
import type { Answer } from "./run_action.ts";
import { openQuery } from "./sealed_query.ts";

/** Everything that a page is drawn from, beside the data it loads. */
export interface View {
  app: AdminServices;
  actor: Actor & { kind: "user" };
  /** Path below the admin, such as `/general`. */
  path: string;
  /** What its address asks for, with what is sealed in it opened; see `sealed_query.ts`. */
  query: URLSearchParams;
  /** Whom the address asks for can't be read. */
  unread: boolean;
  /** The query as the address has it, with its `?`: what leads here again. */
  search: string;
  now: number;
  flash: Flash | undefined;
  /** What was sent and not done, or is being edited: shown again, with what was wrong. */
  posted: (Posted & { answer?: Answer & { ok: false } }) | undefined;
  /** What has just been done, of an action that lets its page stay to show it. */
  done: (Done & { action: string }) | undefined;
  /** What the request itself shows of the visitor; for the Privacy tab. */
  request: { peer: string; headers: Headers };
  /** Where the request comes from, for the audit log. */
  from: From;
  may(capability: Capability): boolean;
  /** Whether the actor may run this action. */
  mayRun(action: string): boolean;
  nonce(action: string): string;
  /** Address of a page or file of the admin. */
  href(path: string): string;
}

/** Address of something in the admin, below the public address's own path: a page may be opened by another name. */
export function adminHref({ config }: Pick<AdminServices, "config">, path: string): string {
  return `${pathPrefix(config.baseUrl)}${ADMIN_PATH}${path}`;
}

export async function createView(
  app: AdminServices,
  c: Context,
  actor: Actor & { kind: "user" },
  { path, search, posted, flash, done }: Pick<View, "path" | "search" | "posted" | "flash" | "done">,
): Promise<View> {
  const all = Object.keys(CAPABILITIES) as Capability[];
  const has = await Promise.all(all.map((each) => actorMay(app.hooks, actor, each)));
  const allowed = new Set(all.filter((_, index) => has[index]));
  const now = app.clock.now();
  return {
    app,
    actor,
    path,
    search,
    ...await openQuery(app, search),
    now,
    flash,
    posted,
    done,
    request: { peer: (c.env as { peer?: string } | undefined)?.peer ?? "", headers: c.req.raw.headers },
    from: await fromOf(app, c, actor.name),
    may: (capability) => allowed.has(capability),
    mayRun(action) {
      const known = actionNamed(action);
      return known !== undefined && allowed.has(known.capability);
    },
    nonce: (action) => issueNonce(app.keyring, actor.session, action, now),
    href: (to) => adminHref(app, to),
  };
}
