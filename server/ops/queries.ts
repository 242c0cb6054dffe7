import { z } from "zod";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../shared/outcomes.ts";
import { transport } from "../http/outbound/transport.ts";
import { createJobAdmin } from "../jobs/job_admin.ts";
import { JOB_GROUP } from "../jobs/row.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Counters } from "../observe/counters.ts";
import type { WebhookCalls } from "../observe/webhook_calls.ts";
import type { DoctorDeps } from "./doctor/finding.ts";
import { FormConfigSchema, signFormConfig } from "../signup/form/signed_config.ts";
import { BadCursor } from "../subscribers/cursor.ts";
import { PAGE_MAX, PAGE_SIZE, search, type SubscriberQuery, type Term } from "../subscribers/search.ts";
import { testConnection } from "./connection.ts";
import { countsSince } from "./counts.ts";
import { diagnose } from "./doctor/doctor.ts";
import { failures } from "./failures.ts";
import { statusOf } from "./signup_status.ts";
import { settingsShown } from "./settings.ts";
import { recentDeliveries, webhookState } from "./webhook.ts";

/** A question that can't be answered as it was asked, in a sentence that says what to ask instead. */
export class InvalidQuery extends Error {
  override readonly name = "BadQuestion";
}

const number = (min: number, max: number) => z.number().int().min(min).max(max);
const place = z.string().max(1000).optional();
const nothing = z.object({});

/**
 * What can be asked of the service without changing anything: one table for the command line, whether a service runs
 * or not, for agents, and for scripts (`POST {base_url}/ops/<question>` with the API token and JSON).
 */
export const queries = {
  /** Everything about one address. */
  status: defineQuery(z.object({ email: z.string() }), async (app, { email }) => {
    const status = await statusOf(app, email);
    if (!status) throw new InvalidQuery("`email` must be an e-mail address.");
    return status;
  }),
  /** A page of records, newest first; `next` leads to the one behind, also where filters left this one empty. */
  signups: defineQuery(
    z.object({
      /** An address, the beginning of one, or a domain as `@example.com`. */
      search: z.string().trim().min(1).max(254).optional(),
      status: z.enum(LOCAL_STATUSES).optional(),
      listStatus: z.enum(LIST_STATUSES).optional(),
      list: z.string().max(200).optional(),
      form: z.string().max(64).optional(),
      from: z.number().optional(),
      until: z.number().optional(),
      after: place,
      limit: number(1, PAGE_MAX).default(PAGE_SIZE),
    }),
    async (app, { search: text, list, after, limit, ...query }) => {
      const term = text === undefined ? {} : { term: termOf(text) };
      const page = await told(() => search(app.kv, given({ ...query, ...term }), { after, limit }));
      return {
        ...page,
        records: page.records.filter((record) => list === undefined || record.list === list),
      };
    },
  ),
  jobs: defineQuery(
    z.object({
      state: z.enum(["waiting", "running", "dead", "parked"]).default("waiting"),
      after: place,
      limit: number(1, 100).default(50),
    }),
    async (app, query) => {
      const { rows, ...page } = await told(() => createJobAdmin(app).list(query));
      return { rows: rows.map((row) => ({ group: JOB_GROUP, ...row })), ...page };
    },
  ),
  settings: defineQuery(nothing, (app) => settingsShown(app.settings)),
  /** What became of requests, since there are books. */
  books: defineQuery(nothing, (app) => app.counters.totals()),
  counts: defineQuery(
    z.object({ hours: number(1, 24 * 366).optional() }),
    (app, { hours }) => countsSince(app, hours),
  ),
  failures: defineQuery(
    z.object({ limit: number(1, 100).default(20) }),
    (app, { limit }) => failures(app, limit),
  ),
  sign: defineQuery(
    FormConfigSchema.strict(),
    (app, config) => ({ cfg: signFormConfig(app.keyring, config) }),
  ),
  connection: defineQuery(nothing, (app) => testConnection(app)),
  webhook: defineQuery(nothing, (app) => webhookState(app)),
  deliveries: defineQuery(nothing, (app) => recentDeliveries(app)),
  doctor: defineQuery(nothing, (app) => diagnose(app, { fetch: transport })),
};

/** What the answers are read from. */
export interface QueryDeps extends DoctorDeps {
  keyring: Keyring;
  counters: Counters;
  webhookCalls: WebhookCalls;
}

interface Query<I extends z.ZodType, A> {
  input: I;
  answer(app: QueryDeps, input: z.output<I>): Promise<A> | A;
}

function defineQuery<I extends z.ZodType, A>(input: I, answer: Query<I, A>["answer"]): Query<I, A> {
  return { input, answer };
}

export type QueryName = keyof typeof queries;
export type QueryInput<Q extends QueryName> = z.input<(typeof queries)[Q]["input"]>;
export type QueryResult<Q extends QueryName> = Awaited<ReturnType<(typeof queries)[Q]["answer"]>>;

export function isQueryName(name: string): name is QueryName {
  return Object.hasOwn(queries, name);
}

/**
 * Answer a question.
 *
 * @throws {BadQuestion} when the input is not what it takes, saying where
 */
export async function runQuery<Q extends QueryName>(
  app: QueryDeps,
  name: Q,
  input: unknown,
): Promise<QueryResult<Q>> {
  const { input: schema, answer } = queries[name] as unknown as Query<z.ZodType, QueryResult<Q>>;
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
    throw new InvalidQuery(problems.join("; "));
  }
  return await answer(app, parsed.data);
}

/** A place in a listing that was not given by it. */
async function told<T>(list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (error) {
    const lost = error instanceof TypeError || error instanceof BadCursor;
    throw lost ? new InvalidQuery(`\`after\` is no place in this list.`) : error;
  }
}

function termOf(text: string): Term {
  const lower = text.toLowerCase();
  if (lower.startsWith("@")) return { by: "domain", domain: lower.slice(1) };
  return { by: "prefix", prefix: lower };
}

/** Without what was not given: a filter is there or it is not. */
function given(query: Partial<Record<keyof SubscriberQuery, unknown>>): SubscriberQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
