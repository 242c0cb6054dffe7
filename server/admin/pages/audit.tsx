import { normalizeEmail } from "../../http/email.ts";
import type { AuditResult } from "../../audit/audit.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Moment, Pager, Table } from "../parts/table.tsx";
import { auditTitle } from "./audit_titles.ts";
import { Refusal } from "../refusal.ts";
import { sealQuery, UNREAD } from "../sealed_query.ts";

const TONES: Record<AuditResult, Tone> = { done: "good", started: "warn", refused: "plain", failed: "bad" };
/** Enough of an HMAC to tell one from another. */
const SHOWN = 12;

export const auditPage: Page = {
  path: "/audit",
  title: "Audit log",
  lead:
    "Who did what, from where: sign-ins, changes, exports, backups and use of the API token. Rows are never removed; their IP addresses are, after the days set on the Privacy tab.",
  group: "Watch",
  capability: "view",
  searched: ["whose"],
  async render(view) {
    const before = view.query.get("before") ?? undefined;
    const page = await view.app.admin.audit.list({ before }).catch((error) => {
      // The database's own cursor: what it makes no sense of, it throws at.
      if (error instanceof TypeError || error instanceof RangeError) {
        throw new Refusal(400, "bad_cursor", "This link to a page leads nowhere: open the audit log again.");
      }
      throw error;
    });
    const whose = view.query.get("whose") ?? "";
    const email = normalizeEmail(whose);
    const sought = email && view.app.admin.audit.target(email);
    const at = async (before = "") =>
      view.href(`/audit${await sealQuery(view.app, [["whose", whose], ["before", before]])}`);
    const [first, next] = await Promise.all([before && at(), page.before && at(page.before)]);
    return (
      <>
        {view.unread && <Notice kind="warn">{UNREAD}</Notice>}
        <Card>
          <form method="post" action={view.href("/audit")} class="filters">
            <div class="field q">
              <label for="audit-whose">Find an address</label>
              <input
                id="audit-whose"
                name="whose"
                type="email"
                value={whose}
                autocomplete="off"
                aria-describedby="audit-whose-help"
              />
              <p class="help" id="audit-whose-help">
                The log holds a code in its place, which only whoever knows the address can look for. Its rows
                are marked.
              </p>
            </div>
            <div class="buttons">
              <button type="submit">Mark</button>
            </div>
          </form>
        </Card>
        <Card>
          {page.rows.length === 0 ? <Empty title="Nothing was done yet" /> : (
            <Table
              caption="Audit log"
              rows={page.rows}
              keyOf={({ at, who, action, target, result }) => `${at} ${who} ${action} ${target} ${result}`}
              columns={[
                {
                  title: "When",
                  cell: ({ at, count }) => (
                    <>
                      <Moment at={at} />
                      {count !== undefined && " and the hour after"}
                    </>
                  ),
                },
                { title: "Who", cell: ({ who }) => who },
                {
                  title: "What",
                  cell: ({ action, count }) => (
                    <span title={action}>
                      {auditTitle(action)}
                      {count !== undefined && ` (${count})`}
                    </span>
                  ),
                },
                {
                  title: "From",
                  cell: ({ ip, device }) => (
                    <>
                      {ip && <code>{ip}</code>} {device && `browser ${device}`}
                    </>
                  ),
                },
                { title: "Result", cell: ({ result }) => <Badge kind={TONES[result]}>{result}</Badge> },
                {
                  title: "To whom",
                  cell: ({ target }) =>
                    target && (
                      <>
                        <code>{target.slice(0, SHOWN)}</code>{" "}
                        {target === sought && <Badge kind="warn">this address</Badge>}
                      </>
                    ),
                },
              ]}
            />
          )}
          <Pager first={first} next={next} />
        </Card>
      </>
    );
  },
};
