import { z } from "zod";
import { closestName } from "../words/closest_name.ts";
import type { Setting } from "./setting.ts";
import { StartError } from "./start_error.ts";

export const ADMIN_PATH = "/admin";
/** Where the database is if `CFBE_KV` does not say so. */
export const DEFAULT_KV = "data/cfbe.kv";

/** The configuration from the environment (decision 6), parsed once at start. */
export interface Config {
  port: number;
  /** Address to listen on. Not used on Deno Deploy. */
  host: string;
  /** Public URL without a trailing slash. Its path, if any, prefixes every route. */
  baseUrl: string;
  /** File, `:memory:`, PostgreSQL or KV Connect URL; undefined for the database of Deno Deploy. */
  kv: string | undefined;
  deploy: boolean;
  /**
   * Whether this is a preview on Deno Deploy without secrets. Its sandbox, database and secrets are lost when
   * it stops.
   */
  throwAway: boolean;
  salt: string | undefined;
  /** Earlier salts that are still accepted. */
  previousSalts: string[];
  /** The salt that only names what outlives a record: a revoked one, or undefined. */
  identitySalt: string | undefined;
  /** "sandbox", or a key of the provider table. */
  provider: string;
  /** Whether the environment sets the provider, so that the admin can't change it. */
  providerIsFixed: boolean;
  providerUrl: string | undefined;
  /** Values of the variables that set settings, by name. */
  variables: Readonly<Record<string, unknown>>;
  apiToken: string | undefined;
  adminPassword: string | undefined;
  /** Undefined if nobody signs in with an identity provider. */
  oidc: OidcConfig | undefined;
  answerFloorMs: number;
  /** The backups that cfbe makes by itself; undefined for none. */
  backups: ScheduledBackups | undefined;
  /** Path of the config file; undefined for `./cfbe.config.ts`, if it exists. */
  configFile: string | undefined;
}

/** Backups that a process makes by itself. */
export interface ScheduledBackups {
  folder: string;
  everyMs: number;
  /** How many stay in the folder. */
  kept: number;
  /** Public keys in the age format. Without any, backups are not encrypted. */
  recipients: string[];
}

/** An identity provider (OpenID Connect) with which users of the admin can sign in. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people call it, such as `Google`. */
  name: string;
  /** Whoever has an email address there that the provider has verified becomes a user, in lower case. */
  domains: string[];
  /** The role of such a user. */
  role: string;
  /** The claim whose values give roles. */
  roleClaim: string;
  /** Roles by a value of that claim, the first that matches; empty if claims give none. */
  roles: readonly ClaimRole[];
}

/** Which role a value of a claim gives. */
export interface ClaimRole {
  value: string;
  role: string;
}

/** An invalid configuration. The message lists every problem on its own line, with what to do. */
export class ConfigError extends StartError {
  override name = "ConfigError";
  /** @param hint what to do about all of them */
  constructor(readonly problems: string[], hint?: string) {
    const lines = ["Invalid configuration:", ...problems.map((problem) => `  - ${problem}`)];
    super([...lines, ...(hint === undefined ? [] : [hint])].join("\n"));
  }
}

const SALT_CHARACTERS = 32;
const HOUR_MS = 60 * 60 * 1000;

const integer = (min: number, max: number, unset: number) =>
  z.string().regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`).default(String(unset))
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

const typedUrl = (what: string) =>
  z.string().trim().refine(
    (value) => /^https?:$/.test(protocolOf(value)),
    `must be ${what}, such as https://news.example`,
  );

const withoutCredentials = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema.refine((value) => {
    const { username, password } = URL.parse(value) ?? {};
    return !username && !password;
  }, "must have no user and no password");

/** Returns the schema of a variable with a URL. Trailing slashes are removed. */
export const httpUrl = (what: string) => typedUrl(what).transform((value) => value.replace(/\/+$/, ""));

/** Returns the schema of a URL without credentials, because pages, logs or error messages show it. */
export const shownHttpUrl = (what: string) => withoutCredentials(httpUrl(what));

const host = z.string().regex(
  /^[0-9A-Za-z.:-]{1,255}$/,
  "must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all addresses",
);
const salt = z.string().min(SALT_CHARACTERS, `must have at least ${SALT_CHARACTERS} characters`);
const secret = z.string().min(1).optional();
/** Returns the schema without the line break at the end of a file, which is no part of what people type or send. */
const secretLine = (schema: z.ZodString) =>
  z.string().transform((value) => value.replace(/[\r\n]+$/, "")).pipe(schema);
const ROLE_CLAIM = "groups";
const role = z.enum(["viewer", "analyst", "marketer", "support", "admin"], {
  error: "must be viewer, analyst, marketer, support or admin",
});

/** Settings of such a preview: it uses nothing of the real site, whichever variables it inherits. */
const THROWN_AWAY = {
  kv: ":memory:",
  salt: undefined,
  previousSalts: [],
  identitySalt: undefined,
  apiToken: undefined,
  oidc: undefined,
  backups: undefined,
  provider: "sandbox",
  providerIsFixed: true,
  providerUrl: undefined,
  variables: { CFBE_PROVIDER: "sandbox" },
} satisfies Partial<Config>;

const Environment = z.object({
  PORT: integer(1, 65535, 8000),
  CFBE_HOST: host.default("127.0.0.1"),
  CFBE_BASE_URL: shownHttpUrl("the public URL of this service").refine(
    (value) => !value.includes("?") && !value.includes("#"),
    "must not have a query or a fragment",
  ).optional(),
  // A file with white space around its name would be another one than the one meant.
  CFBE_KV: z.string().transform((value) => value.includes("://") ? value.trim() : value)
    .refine((value) => value === value.trim(), "must not begin or end with white space or a line break")
    .optional(),
  DENO_DEPLOY: z.string().optional(),
  DENO_DEPLOYMENT_ID: z.string().optional(),
  DENO_TIMELINE: z.string().optional(),
  CFBE_SALT: salt.optional(),
  CFBE_SALT_PREVIOUS: z.string().default("").transform((value) =>
    value.split(",").map((part) => part.trim()).filter((part) => part !== "")
  ).pipe(z.array(salt)),
  CFBE_SALT_IDENTITY: salt.optional(),
  CFBE_PROVIDER: secret,
  CFBE_PROVIDER_URL: httpUrl("the URL of the provider's API").optional(),
  CFBE_API_TOKEN: secretLine(
    z.string().regex(/^[!-~]{16,}$/, "must have at least 16 characters and no spaces"),
  ).optional(),
  CFBE_ADMIN_PASSWORD: secretLine(z.string().min(10, "must have at least 10 characters")).optional(),
  // As typed: the provider's own spelling may end with a slash, and has to be met exactly.
  CFBE_OIDC_ISSUER: withoutCredentials(typedUrl("the issuer of an OpenID provider")).optional(),
  CFBE_OIDC_CLIENT_ID: secret,
  CFBE_OIDC_CLIENT_SECRET: secret,
  CFBE_OIDC_NAME: z.string().max(40, "must have at most 40 characters").optional(),
  CFBE_OIDC_DOMAINS: z.string().default("").transform((value) =>
    value.toLowerCase().split(/[\s,]+/).filter(Boolean)
  ).pipe(z.array(z.string().regex(/^[a-z0-9.-]+\.[a-z0-9-]+$/, "must be domains, such as news.example"))),
  CFBE_OIDC_ROLE: role.default("viewer"),
  CFBE_OIDC_ROLE_CLAIM: secret,
  CFBE_OIDC_ROLES: z.string().default("").transform((value) =>
    value.split(/[;\n]/).map((each) => each.trim()).filter(Boolean).map((each) => ({
      // Names of groups in a directory contain equals signs themselves.
      value: each.slice(0, Math.max(0, each.lastIndexOf("="))).trim(),
      role: each.slice(each.lastIndexOf("=") + 1).trim(),
    }))
  ).pipe(z.array(z.object({
    value: z.string().min(1, "must be values with their roles, such as editors=marketer; press=viewer"),
    role,
  }))),
  CFBE_ANSWER_FLOOR_MS: integer(0, 10_000, 75),
  CFBE_BACKUP_DIR: z.string().optional(),
  CFBE_BACKUP_HOURS: integer(1, 24 * 30, 24),
  CFBE_BACKUP_KEEP: integer(2, 1000, 14),
  CFBE_BACKUP_RECIPIENTS: z.string().default("").transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(
      z.array(z.string().regex(/^age1[0-9a-z]{20,3000}$/, "must be public keys that begin with age1")),
    ),
  CFBE_CONFIG: secret,
  // Read by `cfbeCommand`.
  CFBE_COMMAND: z.string().optional(),
}).transform((env): Config => {
  const deploy = Boolean(env.DENO_DEPLOY || env.DENO_DEPLOYMENT_ID);
  const preview = deploy && env.DENO_TIMELINE !== undefined && env.DENO_TIMELINE !== "production";
  const throwAway = preview && !(env.CFBE_SALT && env.CFBE_API_TOKEN);
  return {
    port: env.PORT,
    host: env.CFBE_HOST,
    baseUrl: env.CFBE_BASE_URL ?? `http://localhost:${env.PORT}`,
    kv: env.CFBE_KV ?? (deploy ? undefined : DEFAULT_KV),
    deploy,
    salt: env.CFBE_SALT,
    previousSalts: env.CFBE_SALT_PREVIOUS,
    identitySalt: env.CFBE_SALT_IDENTITY,
    provider: env.CFBE_PROVIDER ?? "sandbox",
    providerIsFixed: env.CFBE_PROVIDER !== undefined,
    providerUrl: env.CFBE_PROVIDER_URL,
    variables: {},
    apiToken: env.CFBE_API_TOKEN,
    adminPassword: env.CFBE_ADMIN_PASSWORD,
    oidc: env.CFBE_OIDC_ISSUER === undefined ? undefined : {
      issuer: env.CFBE_OIDC_ISSUER,
      clientId: env.CFBE_OIDC_CLIENT_ID ?? "",
      clientSecret: env.CFBE_OIDC_CLIENT_SECRET ?? "",
      name: env.CFBE_OIDC_NAME ?? new URL(env.CFBE_OIDC_ISSUER).hostname,
      domains: env.CFBE_OIDC_DOMAINS,
      role: env.CFBE_OIDC_ROLE,
      roleClaim: env.CFBE_OIDC_ROLE_CLAIM ?? ROLE_CLAIM,
      roles: env.CFBE_OIDC_ROLES,
    },
    answerFloorMs: env.CFBE_ANSWER_FLOOR_MS,
    backups: env.CFBE_BACKUP_DIR === undefined ? undefined : {
      folder: env.CFBE_BACKUP_DIR,
      everyMs: env.CFBE_BACKUP_HOURS * HOUR_MS,
      kept: env.CFBE_BACKUP_KEEP,
      recipients: env.CFBE_BACKUP_RECIPIENTS,
    },
    configFile: env.CFBE_CONFIG,
    throwAway,
    ...(throwAway && THROWN_AWAY),
  };
});

/** Variables by the names under which people look for them first. */
const OTHER_NAMES: Readonly<Record<string, string>> = { CFBE_PORT: "PORT", CFBE_DATA_DIR: "CFBE_KV" };

/** The variables that set no setting. */
export const OWN_VARIABLES: readonly string[] = Object.keys(Environment.in.shape);

/**
 * Parses the environment.
 *
 * @param env variables by name; an empty value counts as not set, as on most shells and hosts
 * @param settings those that have a variable are among `Config.variables`
 * @throws {ConfigError} naming every invalid variable, but never the value of a secret
 */
export function parseConfig(
  env: Record<string, string | undefined>,
  settings: readonly Pick<Setting, "about">[],
): Config {
  const variables = Object.fromEntries(
    settings.flatMap(({ about: { variable, inVariable = z.string() } }) =>
      variable === undefined ? [] : [[variable, (inVariable as z.ZodType).optional()]]
    ),
  );
  const set = Object.fromEntries(
    Object.entries(env).filter((variable): variable is [string, string] =>
      /^(PORT|CFBE_|DENO_DEPLOY|DENO_TIMELINE)/.test(variable[0]) && Boolean(variable[1])
    ),
  );
  const known = [...OWN_VARIABLES, ...Object.keys(variables)];
  const problems = Object.keys(set).filter((name) =>
    name.startsWith("CFBE_") && !known.includes(name) && !name.startsWith("CFBE_TEST_") &&
    name !== "CFBE_CHROMIUM"
  ).map((name) => {
    const meant = OTHER_NAMES[name] ?? closestName(name, known);
    return `Unknown variable ${name}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
  });
  const parsed = Environment.safeParse(set);
  problems.push(...problemsOf(parsed), ...(parsed.success ? contradictions(parsed.data) : []));
  const values = z.object(variables).safeParse(set);
  problems.push(...problemsOf(values));
  if (problems.length > 0 || !parsed.success || !values.success) throw new ConfigError(problems);
  return parsed.data.throwAway ? parsed.data : { ...parsed.data, variables: values.data };
}

function problemsOf({ error }: { error?: z.ZodError | undefined }): string[] {
  return error?.issues.map((issue) => `${issue.path[0]?.toString()} ${issue.message}`) ?? [];
}

/** Returns the problems of variables that are valid on their own but not together. */
function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if (config.throwAway) return problems;
  if (config.deploy && !config.salt) {
    problems.push("CFBE_SALT is required on Deno Deploy, where it cannot be stored in a file");
  }
  if (config.deploy && !config.apiToken) {
    problems.push("CFBE_API_TOKEN is required on Deno Deploy, where it cannot be stored in a file");
  }
  if (config.deploy && config.backups) {
    problems.push(
      "CFBE_BACKUP_DIR does nothing on Deno Deploy, which keeps no files: make backups on another machine",
    );
  }
  if (config.oidc) problems.push(...oidcProblems(config.oidc));
  if (config.kv === "" || config.kv?.endsWith("/")) problems.push("CFBE_KV must be a file, not a folder");
  return problems;
}

function oidcProblems({ issuer, clientId, clientSecret, roleClaim, roles }: OidcConfig): string[] {
  return [
    ...(clientId && clientSecret
      ? []
      : ["CFBE_OIDC_ISSUER needs CFBE_OIDC_CLIENT_ID and CFBE_OIDC_CLIENT_SECRET, which the provider shows"]),
    ...(roleClaim !== ROLE_CLAIM && roles.length === 0 ? ["CFBE_OIDC_ROLE_CLAIM needs CFBE_OIDC_ROLES"] : []),
    ...(issuer.startsWith("https:") || isLoopback(issuer) ? [] : ["CFBE_OIDC_ISSUER must use https"]),
  ];
}

function protocolOf(value: string): string {
  try {
    return new URL(value).protocol;
  } catch {
    return "";
  }
}

/** Returns whether only this machine can reach the URL. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Returns the path prefix of every route: empty, or for example `/news`. */
export function pathPrefix(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, "");
}
