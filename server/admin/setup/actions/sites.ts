import { z } from "zod";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { type AuditChange, changesBetween } from "../../../platform/audit/changes.ts";
import {
  CONNECT_FIELDS,
  InvalidRequest,
  readConnectRequest,
  returnUrl,
  siteName,
  siteUrl,
} from "../../../platform/tokens/sites/connect_request.ts";
import type { SiteCredentials } from "../../../platform/tokens/sites/store.ts";
import { ALL_SCOPES, type Scope } from "../../../platform/tokens/scopes.ts";
import { type Actor, actorMay, actorMayGrantScope } from "../../auth/actor.ts";
import { type Action, type ActionContext, defineAction } from "../../frame/action.ts";
import { invalidFields, notAllowed, Refusal } from "../../frame/refusal.ts";
import { saveTabs } from "../../frame/save_tab.ts";
import { lockedBy } from "../../frame/setting_lock.ts";
import { connectPlan } from "../connect_plan.ts";

/** Result of `cfbe_connect_site`. */
export interface SiteAgreed {
  url: string;
  /** Where the browser brings the code to the site. */
  to: string;
}

/** Result of `cfbe_add_site`. The key and the token are shown only now. */
export interface AddedSite extends SiteCredentials {
  url: string;
}

const flag = z.boolean().default(false);
const scope = z.enum(ALL_SCOPES, `must be of ${ALL_SCOPES.join(", ")}`);
const MAX_SCOPES = ALL_SCOPES.length;
/** Another admin may save the settings at the same moment. */
const SAVE_TRIES = 3;

/** Actions on the sites that sign with keys of their own. Listing them changes nothing, but is an action for the command line. */
export const siteActions: Action[] = [
  defineAction({
    name: "cfbe_list_sites",
    title: "List connected sites",
    group: "access",
    capability: "tokens",
    input: z.object({}),
    async run({ app }) {
      return { message: "Connected sites listed.", data: await app.sites.list() };
    },
  }),
  defineAction({
    name: "cfbe_connect_site",
    title: "Connect site",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    input: z.object(
      {
        ...Object.fromEntries(CONNECT_FIELDS.map((field) => [field, z.string().max(1000).default("")])),
        personal: flag,
        checkout: flag,
        carts: flag,
        only: flag,
      } as Record<typeof CONNECT_FIELDS[number], z.ZodDefault<z.ZodString>> & Record<Choice, typeof flag>,
    ),
    target: ({ site }) => site,
    run: connect,
  }),
  defineAction({
    name: "cfbe_add_site",
    title: "Add site by hand",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    input: z.object({
      url: z.string().trim().max(500),
      name: z.string().trim().max(200).default(""),
      scopes: z.array(scope).max(MAX_SCOPES).default(["read", "signup"]),
    }),
    target: ({ url }) => url,
    async run({ app, actor }, { url: given, name, scopes }) {
      const url = siteUrl(given);
      if (!url) {
        throw invalidFields({
          url:
            "Enter an https URL such as https://shop.example, without a query string; http only on this machine.",
        });
      }
      const held = ALL_SCOPES.filter((each) => scopes.includes(each));
      refuseHigherScopes(actor, held);
      const site = { url, name: siteName(name), by: nameOf(actor), scopes: held, modules: [] };
      const added = await app.sites.add(site);
      if (added === "too-many") throw TOO_MANY();
      return {
        message: `${url} added. Copy its key and token now: they are not shown again.`,
        data: { ...added, url } satisfies AddedSite,
        stay: true,
        changes: changesBetween({}, { site: `${url} (${added.site})`, scopes: held }),
      };
    },
  }),
  defineAction({
    name: "cfbe_revoke_site",
    title: "Revoke connected site",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    input: z.object({ id: z.string().min(1).max(40) }),
    target: ({ id }) => id,
    async run({ app, actor }, { id }) {
      const revoked = await app.sites.revoke(id, nameOf(actor));
      if (!revoked) {
        throw new Refusal(
          404,
          "unknown_site",
          "There is no such connected site. It may have been revoked already.",
        );
      }
      return {
        message: `${revoked.url} revoked: its key and its API token have stopped working.`,
        changes: changesBetween({ site: `${revoked.url} (${id})`, scopes: revoked.scopes }, {}),
      };
    },
  }),
];

type Choice = "personal" | "checkout" | "carts" | "only";

/** Agrees to what a site asks for: saves the settings it needs and the code for its keys, in one commit. */
async function connect(
  context: ActionContext,
  { personal, checkout, carts, only, ...fields }:
    & Record<typeof CONNECT_FIELDS[number], string>
    & Record<Choice, boolean>,
) {
  const { app, actor } = context;
  const request = requestIn(fields);
  const choices = { personal, checkout, carts, only };
  const isLocked = (path: string) => lockedBy(app, path) !== undefined;
  for (let tries = 1;; tries++) {
    await app.settings.refresh();
    const plan = connectPlan(app.settings.current(), isLocked, request, choices);
    refuseHigherScopes(actor, plan.scopes);
    if (plan.edits.length > 0 && !await actorMay(app.hooks, actor, "settings")) {
      throw new Refusal(403, "not_allowed", await notAllowed(app.hooks, actor, "settings"));
    }
    const { code, write } = app.sites.grant(request, {
      scopes: plan.scopes,
      modules: plan.modules,
      by: nameOf(actor),
    });
    const agreed = changesBetween({}, { site: request.url, scopes: plan.scopes, modules: plan.modules });
    try {
      const changes = await saved(context, plan.edits, agreed, write);
      const to = returnUrl(request.redirectUri, { code, state: request.state, iss: app.config.baseUrl });
      return {
        message: `You have connected ${request.url}. It collects its keys now.`,
        data: { url: request.url, to } satisfies SiteAgreed,
        stay: true,
        changes,
      };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "conflict" || tries === SAVE_TRIES) throw error;
    }
  }
}

async function saved(
  context: ActionContext,
  edits: ReturnType<typeof connectPlan>["edits"],
  agreed: AuditChange[],
  write: ReturnType<ActionContext["app"]["sites"]["grant"]>["write"],
): Promise<AuditChange[]> {
  const { app, logWithin } = context;
  if (edits.length === 0) {
    const tx = app.kv.atomic();
    write(tx);
    logWithin(tx, agreed);
    await tx.commit();
    return agreed;
  }
  const versioned = edits.map((edit) => ({ ...edit, version: app.settings.stateOf(edit.tab).version }));
  const withAgreed: ActionContext = {
    ...context,
    logWithin: (tx, changes) => logWithin(tx, [...agreed, ...changes]),
  };
  return [...agreed, ...await saveTabs(withAgreed, versioned, write)];
}

/** @throws {Refusal} if the link was changed, or made by something else than the plugin */
function requestIn(fields: Record<string, string>) {
  try {
    return readConnectRequest(new URLSearchParams(fields));
  } catch (error) {
    if (error instanceof InvalidRequest) throw new Refusal(422, "invalid_request", error.message);
    throw error;
  }
}

function refuseHigherScopes(actor: Actor, scopes: readonly Scope[]): void {
  const higher = scopes.find((each) => !actorMayGrantScope(actor, each));
  if (!higher) return;
  throw new Refusal(403, "higher_scope", `You can't give the scope "${higher}": you may do less yourself.`);
}

const TOO_MANY = () =>
  new Refusal(409, "too-many", "There are too many connected sites or API tokens. Revoke one first.");
