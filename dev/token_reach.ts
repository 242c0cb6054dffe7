import { actions } from "../server/admin/action_table.ts";
import { SCOPE_OF } from "../server/admin/auth/capability.ts";
import { DOWNLOADS } from "../server/admin/download_routes.ts";
import { queries } from "../server/operations/remote/queries.ts";
import { TOKEN_ROUTES } from "../server/platform/tokens/routes.ts";
import { ALL_SCOPES, type Scope } from "../server/platform/tokens/scopes.ts";
import { capitalized } from "../server/platform/words/capitalized.ts";

/** Writes the table of what API tokens reach into docs/security.md. */

const PAGE = new URL("../docs/security.md", import.meta.url);
const TABLE = /^\| scope +\|.*\n(?:\|.*\n)+/m;

interface Reach {
  /** Undefined if any token will do. */
  scope: Scope | undefined;
  request: string;
  title: string;
}

/** Everything that API tokens reach. */
const REACH: readonly Reach[] = [
  ...Object.values(TOKEN_ROUTES).map(({ method, path, ...rest }) => ({
    ...rest,
    request: `${method} ${path}`,
  })),
  ...Object.entries(queries).map(([name, { scope, title }]) => ({
    scope,
    title,
    request: `POST /ops/${name}`,
  })),
  ...DOWNLOADS.map(({ path, capability, what }) => ({
    scope: SCOPE_OF[capability],
    title: capitalized(`download ${what}`),
    request: `GET /admin${path}`,
  })),
  { scope: SCOPE_OF.view, title: "Preview a form", request: "GET /admin/preview" },
  ...actions.map(({ name, title, capability }) => ({ scope: SCOPE_OF[capability], title, request: name })),
];

/** Returns the rows of the table, as Markdown. */
export function reachRows(): string[] {
  return [undefined, ...ALL_SCOPES].flatMap((scope) =>
    REACH.filter((each) => each.scope === scope).map(({ request, title }) =>
      `| ${scope ? `\`${scope}\`` : "any"} | \`${request}\` | ${title} |`
    )
  );
}

/** Returns the page with the table in place of the one that it has. */
export function withReach(page: string, rows: readonly string[]): string {
  return page.replace(
    TABLE,
    () => `| scope | request or action | what it does |\n| --- | --- | --- |\n${rows.join("\n")}\n`,
  );
}

if (import.meta.main) {
  await Deno.writeTextFile(PAGE, withReach(await Deno.readTextFile(PAGE), reachRows()));
}
