import { z } from "zod";

const KNOWN = new Set(Intl.supportedValuesOf("currency"));

/** A currency by its ISO 4217 code; `eur` becomes `EUR`. */
export const currency = z.string().trim().toUpperCase().refine(
  (code) => KNOWN.has(code),
  "must be the three letters of a currency, such as EUR",
);
