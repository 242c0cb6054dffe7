import { createdBy, isAdminToken, tokenNames } from "../../platform/tokens/created_by.ts";
import type { ListedToken } from "../../platform/tokens/store.ts";
import { counted } from "../../platform/words/counted.ts";
import { check, type Found } from "./check.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long before its end a token that is used is reported. */
const SOON_MS = 14 * DAY_MS;
/** A token that was not used for so long before its end is missed by nobody. */
const IN_USE_MS = 30 * DAY_MS;
/** How long after its end it is still reported. */
const OVER_MS = 7 * DAY_MS;

const TODO =
  "Create another one on the page API tokens, enter it where the old one is used, and revoke the old one.";

export const apiTokenChecks = [
  check("tokens.ending", "warn", {
    in: { alert: "tokens", overview: true },
    reads: ["apiTokens", "now"],
    find({ apiTokens, now }) {
      const [first, ...others] = apiTokens.filter((token) => isMissed(token, now))
        .toSorted((a, b) => a.expiresAt! - b.expiresAt!);
      return first && endingOf(first, others.length, now);
    },
  }),
  check("tokens.maker", "warn", {
    in: { alert: "tokens", overview: true },
    reads: ["apiTokens", "admins"],
    find({ apiTokens, admins }) {
      // The other actors have a space in their names: the command line, and API tokens, which count as their makers'.
      const makers = new Set(apiTokens.map(({ by }) => by).filter((by) => !by.includes(" ")));
      return [...makers].filter((maker) => !admins.includes(maker)).flatMap((maker) => {
        const tokens = createdBy(apiTokens, maker).filter(isAdminToken);
        return tokens.length === 0 ? [] : [{
          what: `${maker}, who is no longer an admin, can do everything with API tokens that they created: ${
            tokenNames(tokens)
          }.`,
          todo: "Revoke them on the page API tokens. First replace those that something uses.",
          todoForOthers: "Ask an admin to revoke them on the page API tokens.",
        }];
      });
    },
  }),
];

/** Returns whether something stops working because a token ends, soon or lately. */
function isMissed({ expiresAt, usedAt }: ListedToken, now: number): boolean {
  if (expiresAt === undefined || usedAt === undefined) return false;
  return expiresAt - now < SOON_MS && now - expiresAt < OVER_MS &&
    Math.min(now, expiresAt) - usedAt < IN_USE_MS;
}

function endingOf({ name, expiresAt }: ListedToken, others: number, now: number): Found {
  const when = expiresAt! <= now
    ? "has expired"
    : `stops working in ${counted(Math.ceil((expiresAt! - now) / DAY_MS), "day")}`;
  const more = others > 0 ? `, and ${counted(others, "other token")} soon after` : "";
  return {
    ...(expiresAt! <= now && { tone: "bad" }),
    what: `The API token ${name}, which is in use, ${when}${more}.`,
    todo: TODO,
    todoForOthers: "Ask an admin to replace it on the page API tokens.",
  };
}
