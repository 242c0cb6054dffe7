/** Everything a remote system can do wrong on the wire, and what a caller may conclude from it. */

export type Fault =
  | "resets before storing"
  | "resets while storing"
  | "resets after storing"
  | "resets in the answer"
  | "hangs before storing"
  | "hangs after storing"
  | "closes the idle connection"
  | "closes as the next request comes"
  | "answers twice"
  | "answers HTML with 200"
  | "answers HTML with 502"
  | "cuts the answer off"
  | "never ends its chunks"
  | "announces too few bytes"
  | "sends its head byte by byte"
  | "sends its body byte by byte"
  | "redirects"
  | "redirects after storing";

export interface FaultFacts {
  /** Whether the remote system carries the request out. */
  stores: boolean;
  /**
   * What the caller can know: `answered` – the answer arrives as if nothing had happened; `unclear` – the request may
   * have taken effect; `refused` – it has not.
   */
  leaves: "answered" | "unclear" | "refused";
  /** Nothing but the caller's own time-out ends the request. */
  endless?: true;
}

export const FAULTS: Readonly<Record<Fault, FaultFacts>> = {
  "resets before storing": { stores: false, leaves: "unclear" },
  "resets while storing": { stores: false, leaves: "unclear" },
  "resets after storing": { stores: true, leaves: "unclear" },
  "resets in the answer": { stores: true, leaves: "unclear" },
  "hangs before storing": { stores: false, leaves: "unclear", endless: true },
  "hangs after storing": { stores: true, leaves: "unclear", endless: true },
  "closes the idle connection": { stores: true, leaves: "answered" },
  "closes as the next request comes": { stores: true, leaves: "answered" },
  "answers twice": { stores: true, leaves: "answered" },
  "answers HTML with 200": { stores: true, leaves: "unclear" },
  "answers HTML with 502": { stores: true, leaves: "unclear" },
  "cuts the answer off": { stores: true, leaves: "unclear" },
  "never ends its chunks": { stores: true, leaves: "unclear", endless: true },
  "announces too few bytes": { stores: true, leaves: "unclear" },
  "sends its head byte by byte": { stores: true, leaves: "unclear", endless: true },
  "sends its body byte by byte": { stores: true, leaves: "unclear", endless: true },
  // 307 asks for the same request elsewhere, so nothing was done here (RFC 9110 §15.4.8).
  "redirects": { stores: false, leaves: "refused" },
  // 303 says where to read what the request did (RFC 9110 §15.4.4).
  "redirects after storing": { stores: true, leaves: "unclear" },
};

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];
