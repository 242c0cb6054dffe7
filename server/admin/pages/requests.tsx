import type { Erased, PersonExport } from "../../privacy/people.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { SwitchField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { HELD_TITLES, PersonDocument, personHtml } from "./person_document.tsx";
import { Table } from "../parts/table.tsx";

export const requestsPage: Page = {
  path: "/requests",
  title: "Data requests",
  lead: "Export or erase everything held about one person.",
  group: "Audience & activity",
  icon: "requests",
  shortcut: "r",
  capability: "personal",
  render(view) {
    const erasure = view.app.provider.capabilities.erasure;
    return (
      <>
        {view.done?.action === "cfbe_erase_person" && <Result erased={view.done.data as Erased} />}
        {view.done?.action === "cfbe_export_person" && (
          <Export document={view.done.data as PersonExport} baseUrl={view.app.config.baseUrl} />
        )}
        <Card
          title="Export"
          lead="All data about an email address: signups with the consent texts shown, carts, orders and jobs. As a document to read, print or send, and as JSON."
        >
          <PostForm view={view} action="cfbe_export_person">
            <TextField path="email" label="Email address" type="email" required autocomplete="off" />
            <div class="buttons">
              <button type="submit">Export</button>
            </div>
          </PostForm>
        </Card>
        <Card
          title="Erase"
          lead="Permanently deletes all signups, proofs of consent, carts, orders and jobs of an email address. This can't be undone."
        >
          <PostForm view={view} action="cfbe_erase_person">
            <TextField path="email" label="Email address" type="email" required autocomplete="off" />
            <TextField
              path="typed"
              label="Repeat email address"
              type="email"
              required
              autocomplete="off"
              help="To avoid erasing the wrong person."
            />
            {erasure && (
              <SwitchField
                path="provider"
                label="Also erase at the provider"
                help="Removes the address from every list at the provider. Runs in the background and is retried after outages."
              />
            )}
            <div class="buttons">
              <button type="submit" class="danger">Erase</button>
            </div>
          </PostForm>
        </Card>
        <p class="help">
          Exports and erasures are recorded in the <a href={view.href("/audit")}>audit log</a>{" "}
          without the address. Backups are not changed, but cfbe leaves out erased people when you restore
          one.
        </p>
      </>
    );
  },
};

function Result({ erased: { email, erased, stays, provider } }: { erased: Erased }) {
  const total = Object.values(erased).reduce((sum, count) => sum + count, 0);
  return (
    <Card title={total === 0 ? `No data found for ${email}` : `${email} has been erased`}>
      <div role="status">
        <Table
          caption="Erased data"
          rows={Object.entries(erased)}
          keyOf={([kind]) => kind}
          columns={[
            { title: "Erased", cell: ([kind]) => HELD_TITLES[kind] ?? kind },
            { title: "Count", cell: ([, count]) => count, number: true },
          ]}
        />
      </div>
      {provider && (
        <Notice kind="plain">
          The address is also being erased at the provider. The result will appear in the audit log.
        </Notice>
      )}
      {stays.length === 0 ? <p class="help">Nothing is kept.</p> : (
        <>
          <h3>What is kept, and why</h3>
          <p class="help">
            These records hold only a keyed hash, from which the address cannot be recovered.
          </p>
          <ul class="plain-list">
            {stays.map(({ what, why }) => (
              <li key={what}>
                <strong>{what[0]!.toUpperCase() + what.slice(1)}.</strong> {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Export({ document, baseUrl }: { document: PersonExport; baseUrl: string }) {
  const text = JSON.stringify(document, null, 2);
  const count = Object.values(document.held).reduce((sum, rows) => sum + rows.length, 0) +
    document.marks.length;
  const dataUrl = (type: string, content: string) =>
    `data:${type};charset=utf-8,${encodeURIComponent(content)}`;
  if (count === 0) {
    return (
      <Card>
        <Empty title={`No data found for ${document.email}`}>You can tell the person so.</Empty>
      </Card>
    );
  }
  return (
    <Card
      title={`Data about ${document.email}`}
      lead="Download it as an HTML page to print or send to the person, or as JSON for another program. Times are in UTC."
      actions={
        <div class="buttons">
          <a
            class="button"
            href={dataUrl("text/html", personHtml(document, baseUrl))}
            download="personal-data.html"
          >
            Download HTML
          </a>
          <a class="button" href={dataUrl("application/json", text)} download="personal-data.json">
            Download JSON
          </a>
        </div>
      }
    >
      <PersonDocument document={document} />
      <details>
        <summary>JSON</summary>
        <pre class="document" tabIndex={0} aria-label="Exported data as JSON">{text}</pre>
      </details>
    </Card>
  );
}
