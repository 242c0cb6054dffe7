import type { Facts } from "../problem.ts";

/** Facts of a service without problems and without figures. */
export const NO_PROBLEMS: Facts = {
  now: 0,
  active: true,
  missing: [],
  sandboxInPublic: false,
  unknownVisitors: 0,
  plainHttp: false,
  refusedOrigins: [],
  incomplete: [],
  couponTrouble: undefined,
  deadJobs: 0,
  jobsTooLate: 0,
  skippedRows: 0,
  troubles: [],
  waitingDeliveries: 0,
  unreachable: [],
  singleOptIn: [],
  sendsWebhooks: true,
  week: { accepted: 0, confirmed: { webhook: 0, automation: 0, poll: 0 }, cfgUnverified: 0, tokenOld: 0 },
  overSiteLimit: 0,
  database: { failure: undefined, file: "/data/cfbe.kv", disk: { folder: "/data", free: 9e9, total: 1e11 } },
  backups: { completedAt: [] },
  lately: { seen: 0, accepted: 0, confirmed: 0 },
  before: { seen: 0, accepted: 0, confirmed: 0 },
};
