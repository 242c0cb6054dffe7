import type { FailureCode } from "../../../server/platform/http/outbound/failure.ts";

/** Every network-level fault of a remote system, and what a caller can conclude from it. */

export type Fault =
  | "resets before storing"
  | "resets while storing"
  | "resets after storing"
  | "resets during the response"
  | "hangs before storing"
  | "hangs after storing"
  | "closes the idle connection"
  | "closes as the next request comes"
  | "responds twice"
  | "responds with HTML and 200"
  | "responds with HTML and 502"
  | "cuts the response off"
  | "never ends its chunks"
  | "announces too few bytes"
  | "sends its head byte by byte"
  | "sends its body byte by byte"
  | "redirects"
  | "redirects after storing";

export interface FaultFacts {
  /** Whether the remote system executes the request. */
  stores: boolean;
  /**
   * What the caller can know: `answered` – a normal response arrives; `unclear` – the request may have taken effect;
   * `refused` – it has not.
   */
  leaves: "answered" | "unclear" | "refused";
  /** The error code, unless `leaves` is "answered". */
  code?: FailureCode;
  /** Only the caller's own timeout ends the request. */
  endless?: true;
  /** Only a response with a body can have it. */
  inBody?: true;
}

export const FAULTS: Readonly<Record<Fault, FaultFacts>> = {
  "resets before storing": { stores: false, leaves: "unclear", code: "broken" },
  "resets while storing": { stores: false, leaves: "unclear", code: "broken" },
  "resets after storing": { stores: true, leaves: "unclear", code: "broken" },
  "resets during the response": { stores: true, leaves: "unclear", code: "broken", inBody: true },
  "hangs before storing": { stores: false, leaves: "unclear", code: "timeout", endless: true },
  "hangs after storing": { stores: true, leaves: "unclear", code: "timeout", endless: true },
  "closes the idle connection": { stores: true, leaves: "answered" },
  "closes as the next request comes": { stores: true, leaves: "answered" },
  "responds twice": { stores: true, leaves: "answered" },
  "responds with HTML and 200": { stores: true, leaves: "unclear", code: "unexpected" },
  "responds with HTML and 502": { stores: true, leaves: "unclear", code: "unavailable" },
  "cuts the response off": { stores: true, leaves: "unclear", code: "broken", inBody: true },
  "never ends its chunks": { stores: true, leaves: "unclear", code: "timeout", endless: true, inBody: true },
  "announces too few bytes": { stores: true, leaves: "unclear", code: "unexpected", inBody: true },
  "sends its head byte by byte": { stores: true, leaves: "unclear", code: "timeout", endless: true },
  "sends its body byte by byte": {
    stores: true,
    leaves: "unclear",
    code: "timeout",
    endless: true,
    inBody: true,
  },
  // 307 asks to repeat the request at another URL, so it was not executed here (RFC 9110 §15.4.8).
  "redirects": { stores: false, leaves: "refused", code: "unexpected" },
  // 303 points to the result of the request, so it was executed (RFC 9110 §15.4.4).
  "redirects after storing": { stores: true, leaves: "unclear", code: "unexpected" },
};

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];
