import { z } from "zod";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { readReadable } from "../../platform/kv/bad_rows.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { withoutConsent } from "../../signup/record/consents.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { ANSWER_OPERATORS } from "../search/answer_filter.ts";
import { search } from "../search/search.ts";

/** The signups that a bulk action is about: those of some rows of a page, or all that match a search. */
export const Selection = z.union([
  z.object({ rows: z.array(z.object({ email: z.string(), list: z.string() })) }),
  z.object({
    // Strict, because a bulk action must not do without a filter that it does not know.
    query: z.strictObject({
      term: z.union([
        z.object({ by: z.literal("address"), email: z.string() }),
        z.object({ by: z.literal("prefix"), prefix: z.string() }),
        z.object({ by: z.literal("domain"), domain: z.string() }),
        z.object({ by: z.literal("part"), part: z.string() }),
      ]),
      status: z.enum(LOCAL_STATUSES),
      listStatus: z.enum(LIST_STATUSES),
      form: z.string(),
      source: z.enum(SIGNUP_SOURCES),
      unnamedFrom: z.enum(SIGNUP_SOURCES),
      from: z.number(),
      until: z.number(),
      answer: z.strictObject({
        field: z.string(),
        operator: z.enum(ANSWER_OPERATORS),
        value: z.string().optional(),
      }),
      path: z.string(),
      campaign: z.string(),
    }).partial(),
  }),
]);
export type Selection = z.output<typeof Selection>;

export interface SelectedPage {
  records: SignupRecord[];
  /** Pass it to get the next page; missing on the last one. */
  next?: string;
}

/**
 * Returns one page of the selected signups. Rows without a signup, such as one that was erased, and signups that can't be read are left out.
 *
 * @param after `next` of the previous page
 * @param limit at most 200
 */
export async function selectedPage(
  kv: Kv,
  selection: Selection,
  after: string | undefined,
  limit: number,
): Promise<SelectedPage> {
  if ("query" in selection) {
    const query = Object.fromEntries(
      Object.entries(selection.query).filter(([, value]) => value !== undefined),
    );
    return await search(kv, query, { after, limit });
  }
  const start = Number(after ?? 0);
  const keys = selection.rows.slice(start, start + limit).map(({ email, list }) => signupKey(email, list));
  const records = await readReadable(kv, keys);
  const end = start + limit;
  return {
    records: records.flatMap((record) => record ? [withoutConsent(record)] : []),
    ...(end < selection.rows.length && { next: String(end) }),
  };
}
