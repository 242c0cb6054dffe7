import type { Context } from "hono";
import { nameOf } from "../../platform/audit/actor_name.ts";
import type { AuditChange } from "../../platform/audit/changes.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { AuditQuery, ShownAuditRow } from "../../platform/audit/search.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { BOM, csvRow, encoded, MIME } from "../../subscribers/bulk/export_search.ts";
import type { HasActor } from "../auth/guards.ts";
import { originOf } from "../auth/request_origin.ts";
import { messagePage } from "../shell/sign_in_page.tsx";
import { decryptQuery, UNREADABLE_LINK } from "../frame/encrypted_query.ts";
import { parseAuditSearch } from "./audit_search.ts";
import type { AuditTitles } from "./audit_titles.ts";
import type { AdminServices } from "../frame/services.ts";
import { adminHref } from "../frame/view.ts";

type Cell = (row: ShownAuditRow, titles: AuditTitles) => string | number | undefined;

const COLUMNS: Record<string, Cell> = {
  time: ({ at }) => new Date(at).toISOString(),
  user: ({ who }) => who,
  title: (row, titles) => titles.of(row),
  action: ({ action }) => action,
  result: ({ result }) => result,
  count_in_hour: ({ count }) => count,
  ip: ({ ip }) => ip,
  browser: ({ device }) => device,
  subject_hash: ({ target }) => target,
  changes: ({ changes = [] }) => changes.map(changeText).join("\n"),
};

/** Rows that are in memory at once. */
const BATCH_ROWS = 200;

function changeText({ path, before = "", after = "", secret }: AuditChange): string {
  return secret ? `${path}: secret ${secret}` : `${path}: ${before} → ${after}`;
}

/**
 * `GET {base_url}/admin/audit/audit.csv`: streams the matching entries of the audit log, newest first. It is recorded in
 * the log. Requires `downloadAccess` before it.
 */
export function auditDownload(app: AdminServices, titles: AuditTitles) {
  const href = (path: string) => adminHref(app, path);
  return async (c: Context<HasActor>): Promise<Response> => {
    const { actor } = c.var;
    const { audit } = app.admin;
    const opened = await decryptQuery(app, new URL(c.req.url, "http://any").search);
    const { query, problems } = parseAuditSearch(opened.query, {
      zone: siteZone(app.settings.current()),
      titles,
      targetOf: audit.target,
    });
    const [wrong] = opened.unreadable ? [UNREADABLE_LINK] : Object.values(problems);
    if (wrong !== undefined) {
      return c.html(messagePage({ href, title: "Invalid search", message: wrong }), 400);
    }
    const from = await originOf(app, c, actor.kind === "user" ? actor.name : undefined);
    const end = await audit.begin({
      who: nameOf(actor),
      action: "cfbe_export_audit",
      target: query.target,
      from,
    });
    await end("done");
    const day = new Date(app.clock.now()).toISOString().slice(0, 10);
    return c.body(ReadableStream.from(encoded(csvOf(audit, query, titles))), 200, {
      "Content-Type": MIME.csv,
      "Content-Disposition": `attachment; filename="audit-${day}.csv"`,
    });
  };
}

async function* csvOf(audit: Audit, query: AuditQuery, titles: AuditTitles): AsyncGenerator<string> {
  yield BOM + csvRow(Object.keys(COLUMNS));
  let before: string | undefined;
  do {
    const page = await audit.list(query, { before, limit: BATCH_ROWS });
    if (page.rows.length > 0) {
      yield page.rows.map((row) => csvRow(Object.values(COLUMNS).map((cell) => cell(row, titles)))).join("");
    }
    before = page.before;
  } while (before !== undefined);
}
