import type { Context } from "hono";
import { allOpenAlerts } from "../../operations/alerts/database_alert.ts";
import { ADMIN_PATH, pathPrefix } from "../../platform/config/config.ts";
import type { AdminServices } from "./services.ts";
import type { Done } from "./action.ts";
import { type Actor, capabilitiesOf } from "../auth/actor.ts";
import type { From } from "../../platform/audit/audit.ts";
import { originOf } from "../auth/request_origin.ts";
import { CAPABILITIES, type Capability } from "../auth/capability.ts";
import type { Flash } from "../auth/cookies.ts";
import type { Posted } from "./ajax_body.ts";
import { issueNonce } from "../auth/nonce.ts";
import type { CheckedSettings } from "../forms/drafts/previewed_edit.ts";
import { actionNamed } from "../action_table.ts";
import type { ActionOutcome } from "./run_action.ts";
import { decryptQuery } from "./encrypted_query.ts";

/** A form that was sent, and not saved. */
export interface SentForm extends Posted {
  failure?: ActionOutcome & { ok: false };
  /** Set if it was sent to be checked, and is valid. */
  checked?: CheckedSettings;
}

/** What a page is rendered from, in addition to the data it loads. */
export interface View {
  app: AdminServices;
  actor: Actor & { kind: "user" };
  /** Path below the admin, such as `/general`. */
  path: string;
  /** The query of its URL, with encrypted parameters decrypted; see `encrypted_query.ts`. */
  query: URLSearchParams;
  /** The encrypted part of the query can't be read. */
  unreadable: boolean;
  /** The query as it is in the URL, with its `?`. */
  search: string;
  now: number;
  /** How many alerts are open. */
  openAlerts: number;
  flash: Flash | undefined;
  /** A form that was not saved, or whose rows are being edited: shown again, with its errors. */
  posted: SentForm | undefined;
  /** The result of an action that the page itself shows. */
  done: (Done & { action: string }) | undefined;
  /** What the request reveals about the visitor's IP, for the Privacy page. */
  request: { peer: string; headers: Headers };
  /** Where the request comes from, for the audit log. */
  from: From;
  may(capability: Capability): boolean;
  /** Returns whether the user may run this action. */
  mayRun(action: string): boolean;
  nonce(action: string): string;
  /** Returns the URL of a page or file of the admin. */
  href(path: string): string;
}

/** Returns the URL path of something in the admin. It has no host, because cfbe may be opened under several names. */
export function adminHref({ config }: Pick<AdminServices, "config">, path: string): string {
  return `${pathPrefix(config.baseUrl)}${ADMIN_PATH}${path}`;
}

export async function createView(
  app: AdminServices,
  c: Context,
  actor: Actor & { kind: "user" },
  { path, search, posted, flash, done }: Pick<View, "path" | "search" | "posted" | "flash" | "done">,
): Promise<View> {
  const allowed = await capabilitiesOf(app.hooks, actor, Object.keys(CAPABILITIES) as Capability[]);
  const now = app.clock.now();
  return {
    app,
    actor,
    path,
    search,
    ...await decryptQuery(app, search),
    now,
    openAlerts: (await allOpenAlerts(app)).length,
    flash,
    posted,
    done,
    request: { peer: (c.env as { peer?: string } | undefined)?.peer ?? "", headers: c.req.raw.headers },
    from: await originOf(app, c, actor.name),
    may: (capability) => allowed.has(capability),
    mayRun(action) {
      const known = actionNamed(action);
      return known !== undefined && allowed.has(known.capability);
    },
    nonce: (action) => issueNonce(app.keyring, actor.session, action, now),
    href: (to) => adminHref(app, to),
  };
}
