import { capitalized } from "../../platform/words/capitalized.ts";
import type { Erased, PersonExport } from "../../subscribers/privacy/people.ts";
import {
  type ErasureTarget,
  reachableTitles,
  unreachedSentences,
} from "../../subscribers/privacy/targets.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { listName } from "../parts/lists.ts";
import { HELD_TITLES, PersonDocument, personHtml, withListNames } from "./person_document.tsx";

/** What an erasure has deleted, and what is kept and why. */
export function ErasureResult(
  { view, erased: { email, erased, stays, targets } }: { view: View; erased: Erased },
) {
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
      <AtProviders view={view} targets={targets} />
      {stays.length === 0 ? <p class="help">Nothing is kept.</p> : (
        <>
          <h3>What is kept, and why</h3>
          <p class="help">
            These records hold only a keyed hash, from which the address cannot be recovered.
          </p>
          <ul class="plain-list">
            {stays.map(({ what, why }) => (
              <li key={what}>
                <strong>{capitalized(what)}.</strong> {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function AtProviders({ view, targets }: { view: View; targets: readonly ErasureTarget[] }) {
  if (targets.length === 0) {
    return (
      <Notice kind="warn">
        The address was not erased at the provider. If it is on a list there, it can still get emails.
      </Notice>
    );
  }
  const reachable = reachableTitles(targets);
  return (
    <>
      {reachable.length > 0 && (
        <Notice kind="plain">
          The address is also being erased at {TITLES.format(reachable)}. The result will appear in the{" "}
          <a href={view.href("/audit")}>audit log</a>.
        </Notice>
      )}
      {unreachedSentences(targets).map((sentence) => <Notice key={sentence} kind="warn">{sentence}</Notice>)}
    </>
  );
}

const TITLES = new Intl.ListFormat("en");

/** All data about a person, to read and to download. */
export function ExportResult({ view, document }: { view: View; document: PersonExport }) {
  const named = withListNames(document, (list) => listName(view, list));
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
            href={dataUrl("text/html", personHtml(named, view.app.config.baseUrl))}
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
      <PersonDocument document={named} />
      <details>
        <summary>JSON</summary>
        <pre class="document" tabIndex={0} aria-label="Exported data as JSON">{text}</pre>
      </details>
    </Card>
  );
}
