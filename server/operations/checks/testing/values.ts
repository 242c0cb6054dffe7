import { SettingsSchema } from "../../../settings/schema/schema.ts";
import { PROVIDERS } from "../../../providers/providers.ts";
import type { ProcessRow } from "../../database/processes.ts";
import type { Values } from "../values.ts";

/** One of several processes that share a database, started long ago. */
export const PROCESS: ProcessRow = {
  v: 1,
  host: "one.example",
  pid: 1,
  version: "1.0.0",
  startedAt: 0,
  aheadMs: 0,
  salts: ["salt"],
  token: "token",
};

/** Values of a service without problems and without figures. */
export const NO_PROBLEMS = {
  now: 0,
  config: { baseUrl: "https://news.example", deploy: false, backups: undefined },
  settings: SettingsSchema.parse({
    general: { provider: "bluefox", projectId: "p", apiKey: "k", defaultList: "news" },
  }),
  providers: PROVIDERS,
  capabilities: PROVIDERS.bluefox.capabilities,
  shop: {
    name: "woocommerce",
    capabilities: { coupons: true },
    missingSettings: () => ({ orders: ["secret"], coupons: ["apiSecret"] }),
  },
  active: true,
  traffic: {
    requests: 0,
    carried: { "cf-connecting-ip": 0, "x-real-ip": 0, "x-forwarded-for": 0 },
    ips: 0,
    untrusted: 0,
    unknown: 0,
  },
  refusedOrigins: [],
  couponTrouble: undefined,
  jobs: { dead: 0, tooLate: 0, lateMs: 0 },
  failingJobs: [],
  heldMs: 0,
  skippedRows: 0,
  failedCalls: { troubles: [], waitingDeliveries: 0 },
  unreachable: [],
  lists: [{ id: "news", name: "News", doubleOptIn: true }],
  week: { accepted: 0, confirmed: { webhook: 0, automation: 0, poll: 0 }, cfgUnverified: 0, tokenOld: 0 },
  rates: { lately: { seen: 0, accepted: 0, confirmed: 0 }, before: { seen: 0, accepted: 0, confirmed: 0 } },
  siteLimit: { rejected: 0, beyond: 0 },
  attack: undefined,
  backups: { completedAt: [] },
  apiTokens: [],
  admins: ["ann"],
  lockedOut: { users: 0, allAdmins: false },
  processes: [],
  announced: undefined,
  database: { failure: undefined, file: "/data/cfbe.kv", disk: { folder: "/data", free: 9e9, total: 1e11 } },
} as const satisfies Partial<Values>;
