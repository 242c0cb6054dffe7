import type { SignupRecord } from "../../signup/record/row.ts";
import { SEARCH_FIELDS, type SearchField } from "../../subscribers/search/parse_search.ts";
import type { Term } from "../../subscribers/search/query.ts";
import type { View } from "../frame/view.ts";

/** The filled-in fields of a search. */
export type Search = Map<SearchField, string>;

/** Returns the search in a URL's query. */
export function searchOf(query: URLSearchParams): Search {
  return new Map(SEARCH_FIELDS.flatMap((field) => {
    const value = query.get(field)?.trim();
    return value ? [[field, value]] : [];
  }));
}

/** Returns the search for addresses that start with what was typed; undefined unless it searches for one address. */
function widerOf(params: Search, term: Term | undefined): Search | undefined {
  return term?.by === "address" ? new Map([...params, ["q", `${params.get("q")}*`]]) : undefined;
}

/** Returns the text to search for anywhere in addresses: that of an address is its local part. */
function partOf(term: Term | undefined): string | undefined {
  if (term?.by === "address") return term.email.slice(0, term.email.lastIndexOf("@"));
  return term?.by === "prefix" && term.prefix !== "" ? term.prefix : undefined;
}

export interface Links {
  first: string;
  next: string | undefined;
  csv: string;
  json: string;
  wider: string | undefined;
  /** The search for the same text anywhere in addresses, if there is one. */
  part: { text: string; href: string } | undefined;
  /** Link to each record on the page. */
  records: Map<SignupRecord, string>;
}

type To = (path: string, fields: Iterable<readonly [string, string]>) => Promise<string>;
const linkTo = (view: View): To => async (path, fields) => view.href(path + await view.encryptQuery(fields));

/** Returns the links of a result page. Encrypting them is asynchronous, so this happens before rendering. */
export async function linksOf(
  view: View,
  records: readonly SignupRecord[],
  next: string | undefined,
  params: Search,
  term: Term | undefined,
): Promise<Links> {
  const to = linkTo(view);
  const wider = widerOf(params, term);
  const part = partOf(term);
  const [search, csv, json] = await Promise.all(
    ["", "/subscribers.csv", "/subscribers.json"].map((file) => to(`/subscribers${file}`, params)),
  );
  return {
    first: search!,
    next: next && await to("/subscribers", [...params, ["place", next]]),
    csv: csv!,
    json: json!,
    wider: wider && await to("/subscribers", wider),
    part: part === undefined
      ? undefined
      : { text: part, href: await to("/subscribers", new Map([...params, ["q", `*${part}*`]])) },
    records: new Map(
      await Promise.all(records.map(async (record) => {
        const { email, list } = record;
        return [record, await to("/subscriber", [["email", email], ["list", list]])] as const;
      })),
    ),
  };
}

/** Fields that are one filter together with the field `field`. */
const OF_ANSWER: readonly SearchField[] = ["operator", "answer"];

/** Returns the filters of a search by their fields, each with the link to the same search without it. */
export async function linksWithoutOne(view: View, params: Search): Promise<Map<SearchField, string>> {
  const to = linkTo(view);
  const filters = [...params.keys()].filter((field) => !params.has("field") || !OF_ANSWER.includes(field));
  return new Map(
    await Promise.all(filters.map(async (removed) => {
      const others = [...params].filter(([field]) =>
        field !== removed && !(removed === "field" && OF_ANSWER.includes(field))
      );
      return [removed, await to("/subscribers", others)] as const;
    })),
  );
}
