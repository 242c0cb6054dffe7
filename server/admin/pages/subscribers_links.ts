import type { SignupRecord } from "../../signup/record/row.ts";
import { SEARCH_FIELDS, type SearchField } from "../../subscribers/parse_search.ts";
import type { SubscriberPage } from "../../subscribers/search.ts";
import { sealQuery } from "../sealed_query.ts";
import type { View } from "../view.ts";

/** The fields of a search that are filled in. */
export type Search = Map<SearchField, string>;

/** Of an address, what belongs to the search. */
export function asked(query: URLSearchParams): Search {
  return new Map(SEARCH_FIELDS.flatMap((field) => query.get(field) ? [[field, query.get(field)!]] : []));
}

/** The beginnings of addresses, where a whole one or no more of it was typed; undefined when that is asked already. */
function widerOf(params: Search): Search | undefined {
  const typed = params.get("q") ?? "";
  return typed === "" || /[*]$|^@/.test(typed) ? undefined : new Map([...params, ["q", `${typed}*`]]);
}

export interface Links {
  first: string;
  next: string | undefined;
  csv: string;
  json: string;
  wider: string | undefined;
  /** One for each record of the page. */
  records: Map<SignupRecord, string>;
}

/** Where a page leads. Sealing takes time of its own, so it is done before anything is drawn. */
export async function linksOf(
  view: View,
  { records, next }: SubscriberPage,
  params: Search,
): Promise<Links> {
  const to = async (path: string, fields: Iterable<readonly [string, string]>) =>
    view.href(path + await sealQuery(view.app, fields));
  const wider = widerOf(params);
  const [search, csv, json] = await Promise.all(
    ["", "/subscribers.csv", "/subscribers.json"].map((file) => to(`/subscribers${file}`, params)),
  );
  return {
    first: search!,
    next: next && await to("/subscribers", [...params, ["place", next]]),
    csv: csv!,
    json: json!,
    wider: wider && await to("/subscribers", wider),
    records: new Map(
      await Promise.all(records.map(async (record) => {
        const { email, list } = record;
        return [record, await to("/subscriber", [["email", email], ["list", list]])] as const;
      })),
    ),
  };
}
