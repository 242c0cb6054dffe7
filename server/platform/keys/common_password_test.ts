import assert from "node:assert/strict";
import { isCommonPassword, isNearlyIn } from "./common_password.ts";

Deno.test("common passwords are refused, also repeated, in capitals, and with a few digits and signs around them", () => {
  const list = new Set(["password", "dragon", "qwertyuiop", "1q2w3e4r5t", "cat"]);
  const common = [
    "qwertyuiop",
    "QwertyUiop",
    "1q2w3e4r5t",
    "dragondragon",
    "Password2026!",
    "!!password1",
    "ｐａｓｓｗｏｒｄ１２",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "12121212121212",
    " password123 ",
  ];
  assert.deepEqual(common.filter((each) => !isNearlyIn(list, each)), []);
  const others = [
    "correct horse battery",
    "dragon and password",
    "password-8350412",
    "cat1234567",
    "the cat sat here",
    "7h8Jk2Lm9pQx",
  ];
  assert.deepEqual(others.filter((each) => isNearlyIn(list, each)), []);
});

Deno.test("the bundled list has the passwords that leaks have most often", async () => {
  for (
    const each of ["1234567890", "qwertyuiop", "password123", "iloveyou12", "Welcome2026!", "1q2w3e4r5t"]
  ) {
    assert.equal(await isCommonPassword(each), true, each);
  }
  for (const each of ["a password of the tests", "gravel onion lantern", "newsletter plans 26"]) {
    assert.equal(await isCommonPassword(each), false, each);
  }
});
