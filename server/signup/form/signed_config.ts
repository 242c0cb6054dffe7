import { Buffer } from "node:buffer";
import { z } from "zod";
import { asObject, parseJson } from "../../http/request_body.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { fitInSignup, type Settings, TAGS_TOO_LONG } from "../../settings/schema.ts";

/** What a signed `cfbe_cfg` may carry (decision 8). It travels in every signup's 4 KB, so all of it is bounded. */
export const FormConfigSchema = z.object({
  list: z.string().max(200).optional(),
  tags: z.array(z.string().max(64)).max(20).refine(fitInSignup, TAGS_TOO_LONG).optional(),
  placement: z.string().max(100).optional(),
  form: z.string().max(64).optional(),
  locale: z.string().max(35).optional(),
  /** SHA-256 of the consent text shown. */
  consent: z.string().max(64).optional(),
});

export type FormConfig = z.output<typeof FormConfigSchema>;

/** @returns `<payload>.<signature>`, the payload being base64url of the configuration as JSON */
export function signFormConfig(keyring: Keyring, config: FormConfig): string {
  const payload = Buffer.from(JSON.stringify(FormConfigSchema.parse(config))).toString("base64url");
  return `${payload}.${keyring.sign("cfbe/form-config", payload)}`;
}

/**
 * @param value whatever the request carries as `cfbe_cfg`
 * @returns the configuration, or undefined when it was not signed here or makes no sense (contract 4.11)
 */
export function readFormConfig(keyring: Keyring, value: unknown): FormConfig | undefined {
  if (typeof value !== "string") return undefined;
  const dot = value.indexOf(".");
  const payload = value.slice(0, dot);
  if (dot < 1 || !keyring.verify("cfbe/form-config", payload, value.slice(dot + 1))) return undefined;
  const json = asObject(parseJson(new Uint8Array(Buffer.from(payload, "base64url"))));
  const parsed = FormConfigSchema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

/**
 * The list that a signup goes to (contract 4.12): the signed one if it is a known list or one chosen in
 * the settings, the default list otherwise.
 */
export function listFor(config: FormConfig | undefined, settings: Settings): string {
  const { general, popup, checkout, coupon, forms } = settings;
  const wanted = config?.list;
  if (!wanted) return general.defaultList;
  const chosen = [
    general.defaultList,
    popup.list,
    checkout.list,
    coupon.list,
    ...forms.forms.map((f) => f.list),
  ];
  const known = general.knownLists.some((list) => list.id === wanted);
  return known || chosen.includes(wanted) ? wanted : general.defaultList;
}
