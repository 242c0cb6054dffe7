import { z } from "zod";
import type { FilterResult, Filters } from "./types.ts";

/** Valid results of each filter. Any other result is logged and ignored. */

const tags = z.array(z.string().min(1).max(100)).max(50);

const SHAPES: { readonly [Name in keyof Filters]: z.ZodType<FilterResult<Name>> } = {
  cfbe_client_ip: z.string(),
  cfbe_signup_site_limit: z.number().min(0),
  cfbe_capability: z.string(),
  cfbe_signup: z.union([
    z.literal(false),
    z.looseObject({ name: z.string().max(100).optional(), list: z.string().min(1).max(200), tags }),
  ]) as z.ZodType<FilterResult<"cfbe_signup">>,
  cfbe_tags: tags,
  cfbe_mail_data: z.custom<Record<string, unknown>>((value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value)
  ),
};

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

export function isValidResult(name: keyof Filters, value: unknown): boolean {
  return SHAPES[name].safeParse(value).success;
}
