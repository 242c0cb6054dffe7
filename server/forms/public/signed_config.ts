import { Buffer } from "node:buffer";
import { z } from "zod";
import { asObject, parseJson } from "../../platform/http/request_body.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { verifySite } from "../../platform/tokens/sites/site_keys.ts";
import type { ConnectedSites } from "../../platform/tokens/sites/store.ts";
import { fitInSignup, TAGS_TOO_LONG } from "../../settings/schema/form_values.ts";
import { allForms } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";

/** The signed configuration of a form, `cfbe_cfg` (decision 8). Its size is limited: it is part of a 4 KB request. */
export const FormConfigSchema = z.object({
  list: z.string().max(200).optional(),
  tags: z.array(z.string().max(64)).max(20).refine(fitInSignup, TAGS_TOO_LONG).optional(),
  placement: z.string().max(100).optional(),
  form: z.string().max(64).optional(),
  locale: z.string().max(35).optional(),
  /** Hash of the consent text that is shown (see `consentHash`). */
  consent: z.string().max(64).optional(),
  /** The same for each consent among the form's fields, by the field's name. */
  consents: z.record(z.string().max(32), z.string().max(64)).optional(),
  /** The variant that is shown, if the form has an experiment: a `VariantName`. */
  variant: z.string().max(40).optional(),
});

export type FormConfig = z.output<typeof FormConfigSchema>;

/** Returns `<payload>.<signature>`. The payload is the configuration as JSON, base64url-encoded. */
export function signFormConfig(keyring: Keyring, config: FormConfig): string {
  const payload = Buffer.from(JSON.stringify(FormConfigSchema.parse(config))).toString("base64url");
  return `${payload}.${keyring.sign("cfbe/form-config", payload)}`;
}

/** What a connected site may set in a form. Texts that were shown, and variants, are known to this server only. */
const SiteConfigSchema = FormConfigSchema.pick({
  list: true,
  tags: true,
  placement: true,
  form: true,
  locale: true,
});

/** A configuration, and the connected site that has signed it, unless this server has. */
export interface SignedConfig {
  config: FormConfig;
  site?: string;
}

/**
 * Verifies and parses a signed configuration: `<payload>.<signature>` under a key of this server, or
 * `<payload>.<site>.<signature>` under that of a connected site.
 *
 * @param value the `cfbe_cfg` of a request; can have any type
 * @param sites the connected sites; if not given, only what this server has signed is valid
 * @returns undefined if the signature or the content is invalid (contract 4.11)
 */
export function readSignedConfig(
  keyring: Keyring,
  value: unknown,
  sites?: Pick<ConnectedSites, "isConnected">,
): SignedConfig | undefined {
  const signed = signedConfigs(value)[0];
  if (signed === undefined) return undefined;
  const [payload = "", ...rest] = signed.split(".", 4);
  if (payload === "" || rest.length === 0 || rest.length > 2) return undefined;
  const [site, signature] = rest.length === 2 ? rest as [string, string] : [undefined, rest[0]!];
  const isSigned = site === undefined
    ? keyring.verify("cfbe/form-config", payload, signature)
    : sites?.isConnected(site) && verifySite(keyring, site, "cfbe/form-config", payload, signature);
  if (!isSigned) return undefined;
  const json = asObject(parseJson(new Uint8Array(Buffer.from(payload, "base64url"))));
  const parsed = (site === undefined ? FormConfigSchema : SiteConfigSchema).safeParse(json);
  return parsed.success ? { config: parsed.data, ...(site !== undefined && { site }) } : undefined;
}

/** Returns the configuration alone (see `readSignedConfig`). */
export const readFormConfig = (...signed: Parameters<typeof readSignedConfig>): FormConfig | undefined =>
  readSignedConfig(...signed)?.config;

/** Separates a form's configuration from those of variants of other forms. Base64url has no such character. */
const SEPARATOR = "~";
/** A page has one form and one popup; more would only cost time. */
const MAX_CONFIGS = 3;

/**
 * Returns the names of the variants in a `cfbe_cfg`: of the form, and after it those of other forms that the session
 * takes part in. Ignores those that do not verify.
 */
export function readVariants(keyring: Keyring, value: unknown): string[] {
  return signedConfigs(value).flatMap((signed) => readFormConfig(keyring, signed)?.variant ?? []);
}

function signedConfigs(value: unknown): string[] {
  return typeof value === "string" ? value.split(SEPARATOR, MAX_CONFIGS) : [];
}

/**
 * Returns the list of a signup (contract 4.12): the signed one if it is a known list or selected in the settings, or
 * else the default list.
 */
export function listFor(config: FormConfig | undefined, settings: Settings): string {
  const { general, checkout, coupon } = settings;
  const wanted = config?.list;
  if (!wanted) return general.defaultList;
  const selected = [
    general.defaultList,
    checkout.list,
    coupon.list,
    ...allForms(settings).map(({ list }) => list),
  ];
  const known = general.knownLists.some((list) => list.id === wanted);
  return known || selected.includes(wanted) ? wanted : general.defaultList;
}
