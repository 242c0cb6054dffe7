import type { Random } from "../../../platform/deps.ts";

/** Codes for whoever has lost the authenticator app. Each works once. */

const RECOVERY_CODES = 10;
/** Letters and digits that nobody mistakes for others. */
const CHARACTERS = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 16;

/** Returns new codes, such as `k7mp-2x9d-hq4w-tz8n`: 79 bits each, too many to guess. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => grouped(newCode(random)));
}

function newCode(random: Random): string {
  let code = "";
  // Bytes beyond the last multiple are left out, so that each character is equally likely.
  const most = 256 - (256 % CHARACTERS.length);
  while (code.length < LENGTH) {
    for (const byte of random.bytes(LENGTH)) {
      if (byte < most && code.length < LENGTH) code += CHARACTERS[byte % CHARACTERS.length];
    }
  }
  return code;
}

const grouped = (code: string) => code.match(/.{4}/g)!.join("-");

/** Returns a typed code as `newRecoveryCodes` wrote it; undefined if it can't be one. */
export function typedRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, "");
  return code.length === LENGTH && [...code].every((each) => CHARACTERS.includes(each))
    ? grouped(code)
    : undefined;
}
