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
import { statusOf } from "./operations.ts";
import { settingsShown } from "./settings.ts";
import { recentDeliveries, webhookState } from "./webhook.ts";

/** A question that can't be answered as it was asked, in a sentence that says what to ask instead. */
export class BadQuestion extends Error {
  override readonly name = "BadQuestion";
}

const number = (min: number, max: number) => z.number().int().min(min).max(max);
const place = z.string().max(1000).optional();
const nothing = z.object({});

/**
 * What can be asked of the service without changing anything: one table for the command line, whether a service runs
 * or not, for agents, and for scripts (`POST {base_url}/ops/<question>` with the API token and JSON).
 */
export const questions = {
  /** Everything about one address. */
  status: question(z.object({ email: z.string() }), async (app, { email }) => {
    const status = await statusOf(app, email);
    if (!status) throw new BadQuestion("`email` must be an e-mail address.");
    return status;
  }),
  /** A page of records, newest first; `next` leads to the one behind, also where filters left this one empty. */
  signups: question(
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
  jobs: question(
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
  settings: question(nothing, (app) => settingsShown(app.settings)),
  /** What became of requests, since there are books. */
  books: question(nothing, (app) => app.counters.totals()),
  counts: question(
    z.object({ hours: number(1, 24 * 366).optional() }),
    (app, { hours }) => countsSince(app, hours),
  ),
  failures: question(
    z.object({ limit: number(1, 100).default(20) }),
    (app, { limit }) => failures(app, limit),
  ),
  sign: question(
    FormConfigSchema.strict(),
    (app, config) => ({ cfg: signFormConfig(app.keyring, config) }),
  ),
  connection: question(nothing, (app) => testConnection(app)),
  webhook: question(nothing, (app) => webhookState(app)),
  deliveries: question(nothing, (app) => recentDeliveries(app)),
  doctor: question(nothing, (app) => diagnose(app, { fetch: transport })),
};

/** What the answers are read from. */
export interface QuestionDeps extends DoctorDeps {
  keyring: Keyring;
  counters: Counters;
  webhookCalls: WebhookCalls;
}

interface Question<I extends z.ZodType, A> {
  input: I;
  answer(app: QuestionDeps, input: z.output<I>): Promise<A> | A;
}

function question<I extends z.ZodType, A>(input: I, answer: Question<I, A>["answer"]): Question<I, A> {
  return { input, answer };
}

export type QuestionName = keyof typeof questions;
export type Asked<Q extends QuestionName> = z.input<(typeof questions)[Q]["input"]>;
export type Answered<Q extends QuestionName> = Awaited<ReturnType<(typeof questions)[Q]["answer"]>>;

export function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name);
}

/**
 * Answer a question.
 *
 * @throws {BadQuestion} when the input is not what it takes, saying where
 */
export async function answerQuestion<Q extends QuestionName>(
  app: QuestionDeps,
  name: Q,
  input: unknown,
): Promise<Answered<Q>> {
  const { input: schema, answer } = questions[name] as unknown as Question<z.ZodType, Answered<Q>>;
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
    throw new BadQuestion(problems.join("; "));
  }
  return await answer(app, parsed.data);
}

/** A place in a listing that was not given by it. */
async function told<T>(list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (error) {
    const lost = error instanceof TypeError || error instanceof BadCursor;
    throw lost ? new BadQuestion(`\`after\` is no place in this list.`) : error;
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
