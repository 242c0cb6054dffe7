import assert from "node:assert/strict";
import { systemRandom } from "../../../platform/deps.ts";
import { createKeyring } from "../../../platform/keys/keyring.ts";
import { CHALLENGE_MS, type ChallengeAbout, isOwnChallenge, newChallenge } from "./challenge.ts";

const keyring = createKeyring(["a salt, which is long enough to be one of a site"]);
const NOW = 1_700_000_000_000;

Deno.test("a challenge is one for its purpose and session, for five minutes, and only unchanged", () => {
  const abouts: ChallengeAbout[] = [
    { kind: "sign-in" },
    { kind: "add", session: "one" },
    { kind: "add", session: "two" },
    { kind: "confirm", session: "one" },
  ];
  for (const about of abouts) {
    const challenge = newChallenge(keyring, systemRandom, about, NOW);
    const accepted = abouts.filter((each) => isOwnChallenge(keyring, challenge, each, NOW));
    assert.deepEqual(accepted, [about]);
    const isOwn = (text: string, now: number) => isOwnChallenge(keyring, text, about, now);
    assert.ok(isOwn(challenge, NOW + CHALLENGE_MS - 1) && isOwn(challenge, NOW - CHALLENGE_MS + 1));
    assert.ok(!isOwn(challenge, NOW + CHALLENGE_MS) && !isOwn(challenge, NOW - CHALLENGE_MS));
    for (const index of [0, 25, 40]) {
      const other = challenge[index] === "A" ? "B" : "A";
      assert.ok(!isOwn(challenge.slice(0, index) + other + challenge.slice(index + 1), NOW));
    }
    for (const text of ["", challenge.slice(0, -1), `${challenge}A`, `${challenge}=`, challenge + "!"]) {
      assert.ok(!isOwn(text, NOW), text);
    }
  }
  assert.notEqual(
    newChallenge(keyring, systemRandom, { kind: "sign-in" }, NOW),
    newChallenge(keyring, systemRandom, { kind: "sign-in" }, NOW),
  );
});
