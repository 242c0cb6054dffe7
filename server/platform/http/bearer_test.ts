import assert from "node:assert/strict";
import { bearerOf } from "./bearer.ts";

const CASES: [header: string | undefined, token: string | undefined][] = [
  ["Bearer key-1", "key-1"],
  ["bearer   key-1  ", "key-1"],
  ["Bearer a key with spaces", "a key with spaces"],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearerkey-1", undefined],
  ["Basic key-1", undefined],
  [undefined, undefined],
];

Deno.test("the token of a bearer is the rest of its header, without the spaces around it", () => {
  for (const [header, token] of CASES) {
    const headers = new Headers(header === undefined ? {} : { authorization: header });
    assert.equal(bearerOf(headers), token, header);
  }
});
