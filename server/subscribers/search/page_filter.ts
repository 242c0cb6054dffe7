import type { SignupPage } from "../../../shared/signup_page.ts";

/** Ends a path that stands for all paths that start with it. */
const ANY = "*";
const MAX_LENGTH = 300;

/** Returns what is wrong with the path of a search, such as `/about` or `/blog/*`; undefined if nothing is. */
export function pathProblem(path: string): string | undefined {
  const isValid = path.startsWith("/") && path.length <= MAX_LENGTH && path.isWellFormed();
  return isValid ? undefined : "Enter a path such as /about, or /blog/* for all that start with /blog/.";
}

/** Returns whether the page of a signup has a path. */
export function matchesPath(path: string, page: SignupPage | undefined): boolean {
  if (!page) return false;
  return path.endsWith(ANY) ? page.path.startsWith(path.slice(0, -ANY.length)) : page.path === path;
}

/** Returns whether the page of a signup has a `utm_campaign`. Letter case does not matter. */
export function matchesCampaign(campaign: string, page: SignupPage | undefined): boolean {
  return page?.utm?.campaign?.toLowerCase() === campaign.toLowerCase();
}
