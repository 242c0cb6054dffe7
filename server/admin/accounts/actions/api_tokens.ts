import { z } from "zod";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { defaultExpiry, expiryAfter, type ExpiryProblem } from "../../../platform/tokens/expiry.ts";
import { TokenName, type TokenRefused } from "../../../platform/tokens/row.ts";
import { ALL_SCOPES, type Scope } from "../../../platform/tokens/scopes.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { minuteIn, minuteStart } from "../../../settings/schema/utc_offsets.ts";
import { actorMayGrantScope } from "../../auth/actor.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { invalidFields, Refusal } from "../../frame/refusal.ts";
import type { AdminServices } from "../../frame/services.ts";

/** Result of `cfbe_add_token`. The token is not stored. */
export interface CreatedToken {
  id: string;
  name: string;
  token: string;
  scopes: readonly Scope[];
  /** Unix milliseconds; absent if it never expires. */
  expiresAt?: number;
}

const scope = z.enum(ALL_SCOPES, `must be of ${ALL_SCOPES.join(", ")}`);
const scopes = z.array(scope).transform((chosen) => ALL_SCOPES.filter((each) => chosen.includes(each)))
  .refine((chosen) => chosen.length > 0, "choose at least one scope");

/** Actions that manage API tokens. Listing them changes nothing, but is an action for the command line. */
export const apiTokenActions: Action[] = [
  defineAction({
    name: "cfbe_list_tokens",
    title: "List API tokens",
    group: "access",
    capability: "tokens",
    input: z.object({}),
    async run({ app }) {
      return { message: "API tokens listed.", data: await app.apiTokens.list() };
    },
  }),
  defineAction({
    name: "cfbe_add_token",
    title: "Create API token",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    input: z.object({
      name: TokenName,
      scopes,
      /** The last day on which it is valid; null for no end, by default a year. */
      expires: z.string().trim().max(20).nullish(),
    }),
    target: (input) => input.name,
    async run({ app, actor }, { name, scopes, expires }) {
      const higher = scopes.find((each) => !actorMayGrantScope(actor, each));
      if (higher) {
        throw new Refusal(
          403,
          "higher_scope",
          `You can't give the scope "${higher}": you may do less yourself.`,
        );
      }
      const expiresAt = expiryOf(app, expires);
      const until = expiresAt === undefined ? {} : { expiresAt };
      const added = await app.apiTokens.add({ name, scopes, by: nameOf(actor), ...until });
      if (typeof added === "string") throw refused(added);
      const data: CreatedToken = { ...added, name, scopes, ...until };
      return {
        message: `API token ${name} created. Copy it now: it is not shown again.`,
        data,
        stay: true,
        changes: changesBetween({}, {
          token: `${name} (${added.id})`,
          scopes,
          expires: dateOf(app, expiresAt),
        }),
      };
    },
  }),
  defineAction({
    name: "cfbe_revoke_token",
    title: "Revoke API token",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    input: z.object({ id: z.string().min(1).max(40) }),
    target: (input) => input.id,
    async run({ app }, { id }) {
      const site = (await app.apiTokens.list()).find((token) => token.id === id)?.site;
      if (site !== undefined) {
        const message =
          "This token belongs to a connected site. Revoke the site instead: its key ends with it.";
        throw new Refusal(409, "of_site", message);
      }
      const revoked = await app.apiTokens.revoke(id);
      if (!revoked) {
        throw new Refusal(
          404,
          "unknown_token",
          "There is no such API token. It may have been revoked already.",
        );
      }
      return {
        message: `API token ${revoked.name} revoked. It has stopped working.`,
        changes: changesBetween({ token: `${revoked.name} (${id})`, scopes: revoked.scopes }, {}),
      };
    },
  }),
];

/** Returns the site's day of a time, such as `2027-11-30`. */
export function siteDate({ settings }: Pick<AdminServices, "settings">, at: number): string {
  return minuteIn(siteZone(settings.current()), at).slice(0, 10);
}

function dateOf(app: AdminServices, expiresAt: number | undefined): string {
  return expiresAt === undefined ? "never" : siteDate(app, expiresAt - 1);
}

const PROBLEMS: Record<ExpiryProblem, string> = {
  "invalid": "Enter a date such as 2027-11-30.",
  "past": "Enter a day that is not over yet.",
  "too-far": "Enter a day within ten years.",
};

/** @throws {Refusal} for a date on which no token can expire */
function expiryOf(app: AdminServices, expires: string | null | undefined): number | undefined {
  if (expires === null || expires === "") return undefined;
  const today = siteDate(app, app.clock.now());
  const zone = siteZone(app.settings.current());
  const found = expiryAfter(
    expires ?? defaultExpiry(today),
    today,
    (day) => minuteStart(`${day}T00:00`, zone),
  );
  if ("problem" in found) throw invalidFields({ expires: PROBLEMS[found.problem] });
  return found.expiresAt;
}

function refused(reason: TokenRefused): Refusal {
  if (reason === "exists") {
    return invalidFields({
      name: "Another token has this name. Choose another name, or revoke that token first.",
    });
  }
  return new Refusal(409, reason, "There are too many API tokens. Revoke one first.");
}
