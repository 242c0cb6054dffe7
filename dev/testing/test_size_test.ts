import assert from "node:assert/strict";
import { testSize } from "./test_size.ts";

const VARIABLE = "CFBE_TEST_OF_TEST_SIZE";

Deno.test("a test is as large as its variable says, and never of a size that is no number", () => {
  assert.equal(testSize(VARIABLE, 20), 20);
  try {
    Deno.env.set(VARIABLE, "1000");
    assert.equal(testSize(VARIABLE, 20), 1_000);
    for (const wrong of ["${CFBE:-1000}", "", "-1", "1e6"]) {
      Deno.env.set(VARIABLE, wrong);
      assert.throws(() => testSize(VARIABLE, 20), TypeError, wrong);
    }
  } finally {
    Deno.env.delete(VARIABLE);
  }
});
