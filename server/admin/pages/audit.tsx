import { normalizeEmail } from "../../http/email.ts";
import type { AuditResult } from "../../audit/audit.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Moment, Pager, shownText, Table } from "../parts/table.tsx";
import { auditTitle } from "./audit_titles.ts";
import { Refusal } from "../refusal.ts";
import { encryptQuery, UNREADABLE_LINK } from "../encrypted_query.ts";

const TONES: Record<AuditResult, Tone> = { done: "good", started: "warn", refused: "plain", failed: "bad" };
/** Enough characters of an HMAC to tell two subjects apart. */
const HMAC_CHARACTERS = 12;

export const auditPage: Page = {
  path: "/audit",
  title: "Audit log",
  lead:
    "Who did what, in the admin, on the command line and with the API token. Entries cannot be edited or deleted; their IP addresses are deleted after the retention period set on the Privacy page.",
  group: "Audience & activity",
  icon: "audit",
  shortcut: "a",
  capability: "personal",
  searchFields: ["whose"],
  async render(view) {
    const before = view.query.get("before") ?? undefined;
    const page = await view.app.admin.audit.list({ before }).catch((error) => {
      // The cursor is Deno KV's own, which throws for a cursor that it cannot read.
      if (error instanceof TypeError || error instanceof RangeError) {
        throw new Refusal(400, "bad_cursor", "This page link is not valid. Open the audit log again.");
      }
      throw error;
    });
    const whose = view.query.get("whose") ?? "";
    const email = normalizeEmail(whose);
    const wanted = email && view.app.admin.audit.target(email);
    const hrefOf = async (before = "") =>
      view.href(`/audit${await encryptQuery(view.app, [["whose", whose], ["before", before]])}`);
    const [first, next] = await Promise.all([before && hrefOf(), page.before && hrefOf(page.before)]);
    return (
      <>
        {view.unreadable && <Notice kind="warn">{UNREADABLE_LINK}</Notice>}
        <Card>
          <form method="post" action={view.href("/audit")} class="filters" role="search">
            <div class="field q">
              <label for="audit-whose">Email address</label>
              <input
                id="audit-whose"
                name="whose"
                type="email"
                value={whose}
                autocomplete="off"
                aria-describedby="audit-whose-help"
              />
              <p class="help" id="audit-whose-help">
                The log stores addresses only as a hash. Enter an address to highlight its entries.
              </p>
            </div>
            <div class="buttons">
              <button type="submit">Find</button>
            </div>
          </form>
        </Card>
        <Card results={shownText(page.rows.length, ["entry", "entries"], next !== undefined)}>
          {page.rows.length === 0 ? <Empty title="No entries yet" /> : (
            <Table
              caption="Audit log"
              rows={page.rows}
              keyOf={({ at, who, action, target, result }) => `${at} ${who} ${action} ${target} ${result}`}
              columns={[
                {
                  title: "Time",
                  cell: ({ at, count }) => (
                    <>
                      <Moment at={at} />
                      {count !== undefined && " (one hour)"}
                    </>
                  ),
                },
                { title: "User", cell: ({ who }) => who },
                {
                  title: "Action",
                  cell: ({ action, count }) => (
                    <span title={action}>
                      {auditTitle(action)}
                      {count !== undefined && ` (${count})`}
                    </span>
                  ),
                },
                {
                  title: "IP and browser",
                  cell: ({ ip, device }) => (
                    <>
                      {ip && <code>{ip}</code>} {device && `browser ${device}`}
                    </>
                  ),
                },
                { title: "Result", cell: ({ result }) => <Badge kind={TONES[result]}>{result}</Badge> },
                {
                  title: "Subject",
                  cell: ({ target }) =>
                    target && (
                      <>
                        <code>{target.slice(0, HMAC_CHARACTERS)}</code>{" "}
                        {target === wanted && <Badge kind="warn">match</Badge>}
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
