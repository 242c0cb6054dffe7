import type { Erased, PersonExport } from "../../privacy/people.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { SwitchField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";

export const requestsPage: Page = {
  path: "/requests",
  title: "Privacy requests",
  lead: "Somebody asks what you hold about them, or asks to be forgotten.",
  group: "Watch",
  capability: "view",
  render(view) {
    const erasure = view.app.provider.capabilities.erasure;
    return (
      <>
        {view.done?.action === "cfbe_erase_person" && <Result erased={view.done.data as Erased} />}
        {view.done?.action === "cfbe_export_person" && <Document document={view.done.data as PersonExport} />}
        <Card
          title="Export"
          lead="Everything held about an address as one JSON document: signups with the texts that were shown, carts, orders, jobs."
        >
          <PostForm view={view} action="cfbe_export_person">
            <TextField path="email" label="Address" type="email" required autocomplete="off" />
            <div class="buttons">
              <button type="submit">Export</button>
            </div>
          </PostForm>
        </Card>
        <Card
          title="Erase"
          lead="Signups, proofs of consent, carts, orders and jobs of an address are deleted for good. This can't be undone."
        >
          <PostForm view={view} action="cfbe_erase_person">
            <TextField path="email" label="Address" type="email" required autocomplete="off" />
            <TextField
              path="typed"
              label="The address once more"
              type="email"
              required
              autocomplete="off"
              help="Typed again, so that nobody else is erased by mistake."
            />
            {erasure && (
              <SwitchField
                path="provider"
                label="Erase at the provider too"
                help="The provider takes the address off every list. That goes on in the background, also after an outage."
              />
            )}
            <div class="buttons">
              <button type="submit" class="danger">Erase</button>
            </div>
          </PostForm>
        </Card>
        <p class="help">
          Both are in the{" "}
          <a href={view.href("/audit")}>audit log</a>, without the address. Erasing does not reach into
          backups: an address that a restored backup brings back has to be erased again.
        </p>
      </>
    );
  },
};

const ROOMS: Record<string, string> = {
  signups: "Signups, with every proof of consent",
  carts: "Carts",
  orders: "Orders, as they count for a contact",
  coupons: "Coupons on their way",
  jobs: "Jobs: waiting, running or given up",
};

function Result({ erased: { email, erased, stays, provider } }: { erased: Erased }) {
  const total = Object.values(erased).reduce((sum, count) => sum + count, 0);
  return (
    <Card title={total === 0 ? `Nothing was held about ${email}` : `${email} is erased here`}>
      <div role="status">
        <Table
          caption="What was erased"
          rows={Object.entries(erased)}
          keyOf={([room]) => room}
          columns={[
            { title: "Erased", cell: ([room]) => ROOMS[room] ?? room },
            { title: "Count", cell: ([, count]) => count, number: true },
          ]}
        />
      </div>
      {provider && (
        <Notice kind="plain">
          The provider is being asked to erase the address too. Its result will be in the audit log.
        </Notice>
      )}
      {stays.length === 0 ? <p class="help">Nothing of it stays.</p> : (
        <>
          <h3>What stays, and why</h3>
          <p class="help">
            Under a code made from the address with a secret: it can be compared, but not read back.
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

function Document({ document }: { document: PersonExport }) {
  const text = JSON.stringify(document, null, 2);
  const count = Object.values(document.held).reduce((sum, rows) => sum + rows.length, 0) +
    document.marks.length;
  const address = `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
  if (count === 0) {
    return (
      <Card>
        <Empty title={`Nothing is held about ${document.email}`}>You may tell them so.</Empty>
      </Card>
    );
  }
  return (
    <Card
      title={`Held about ${document.email}`}
      actions={<a class="button" href={address} download="held-about-a-person.json">Download</a>}
    >
      <pre class="document" tabIndex={0} aria-label="The document">{text}</pre>
    </Card>
  );
}
