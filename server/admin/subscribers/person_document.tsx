import { capitalized } from "../../platform/words/capitalized.ts";
import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import { SOURCE_KINDS } from "../../subscribers/search/source_kinds.ts";
import type { PersonExport } from "../../subscribers/privacy/people.ts";

/** Titles of the stores in an export. */
export const HELD_TITLES: Record<string, string> = {
  signups: "Signups, with every proof of consent",
  carts: "Carts",
  orders: "Order records",
  coupons: "Coupons not yet sent",
  jobs: "Jobs: queued, running or failed",
};

const LABELS: Record<string, string> = {
  at: "Time",
  consents: "Proofs of consent",
  given: "Agreed",
  id: "ID",
  ip: "IP address",
  record: "Signup",
  since: "Status since",
  text: "Text shown",
  textHash: "SHA-256 of the text",
};

/** Returns a document for people, with the names of lists in place of their IDs. */
export function withListNames(document: PersonExport, nameOf: (list: string) => string): PersonExport {
  return JSON.parse(
    JSON.stringify(document),
    (field, value) => field === "list" && typeof value === "string" ? nameOf(value) : value,
  );
}

/** Shows all data about a person in a form that people can read: labels, and times in UTC. */
export function PersonDocument(
  { document: { held, marks }, heading: Heading = "h3" }: { document: PersonExport; heading?: "h2" | "h3" },
): VNode {
  const stores = Object.entries(held).filter(([, rows]) => rows.length > 0);
  return (
    <div class="person">
      {stores.map(([store, rows]) => (
        <section key={store}>
          <Heading>{HELD_TITLES[store] ?? labelOf(store)}</Heading>
          <Value value={rows} />
        </section>
      ))}
      {marks.length > 0 && (
        <section>
          <Heading>Records under a keyed hash of the address</Heading>
          <ol>
            {marks.map(({ what, why, row }) => (
              <li key={what}>
                <p>
                  <strong>{capitalized(what)}.</strong> {why}
                </p>
                <Value value={row} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

/**
 * Returns the document as an HTML file without scripts and external resources, to print or to send to the person.
 *
 * @param baseUrl public URL of cfbe, which the document names as its origin
 */
export function personHtml(document: PersonExport, baseUrl: string): string {
  const title = `Data about ${document.email}`;
  return "<!doctype html>" + render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <h1>{title}</h1>
        <p>
          All data that {baseUrl} stores about this email address. Generated{" "}
          {utc(Date.parse(document.exportedAt))}.
        </p>
        <PersonDocument document={document} heading="h2" />
      </body>
    </html>,
  );
}

const STYLE = "body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}" +
  ".fields{padding:0;list-style:none}.fields span{color:#555}li{overflow-wrap:anywhere}ol>li{margin-bottom:.75rem}";

/** The first and last millisecond of the years 2001 to 2096: a whole number between them is a time. */
const [FIRST_TIME, LAST_TIME] = [978_307_200_000, 4_007_836_799_999];

function Value({ value }: { value: unknown }): VNode {
  if (Array.isArray(value)) {
    if (value.length === 0) return <>none</>;
    return (
      <ol>
        {value.map((each, index) => (
          <li key={index}>
            <Value value={each} />
          </li>
        ))}
      </ol>
    );
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).filter(([name, field]) => name !== "v" && field !== undefined);
    return (
      <ul class="fields">
        {fields.map(([name, field]) => (
          <li key={name}>
            <span>{labelOf(name)}:</span> <Value value={name === "source" ? sourceText(field) : field} />
          </li>
        ))}
      </ul>
    );
  }
  return <>{textOf(value)}</>;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isTime = Number.isInteger(value) && FIRST_TIME <= Number(value) && Number(value) <= LAST_TIME;
  return isTime ? utc(Number(value)) : String(value);
}

/** Returns the title of a signup's source, as on the other pages. */
function sourceText(source: unknown): unknown {
  return typeof source === "string" && Object.hasOwn(SOURCE_KINDS, source)
    ? SOURCE_KINDS[source as keyof typeof SOURCE_KINDS]
    : source;
}

/** Returns a label such as `Created at` for `createdAt`. */
function labelOf(name: string): string {
  return LABELS[name] ??
    name.replace(/([A-Z])/g, " $1").toLowerCase().replace(/^./, (first) => first.toUpperCase());
}

/** Formats Unix milliseconds as a date and time in ISO order. */
function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
