import assert from "node:assert/strict";
import { meantAddress, webMailOf } from "./mail_domains.ts";

Deno.test("a slip of the finger in a common domain is noticed", () => {
  const slips = {
    "ada@gmial.com": "ada@gmail.com",
    "ada@gmal.com": "ada@gmail.com",
    "ada@gmaill.com": "ada@gmail.com",
    "ada@gnail.com": "ada@gmail.com",
    "ada@gmail.con": "ada@gmail.com",
    "ada@gmail.cm": "ada@gmail.com",
    "ada@hotmial.com": "ada@hotmail.com",
    "ada@outlok.com": "ada@outlook.com",
    "ada@yaho.com": "ada@yahoo.com",
    "Ada.L+news@GMIAL.com ": "Ada.L+news@gmail.com",
  };
  for (const [typed, meant] of Object.entries(slips)) assert.equal(meantAddress(typed), meant);
});

Deno.test("a real domain, however close to a common one, is left alone", () => {
  for (
    const domain of [
      "gmail.com",
      "ymail.com",
      "mail.com",
      "gmx.net",
      "web.de",
      "me.com",
      "mac.com",
      "example.com",
    ]
  ) {
    assert.equal(meantAddress(`ada@${domain}`), undefined, domain);
  }
});

Deno.test("nothing is said while a common domain is still being typed", () => {
  for (const address of ["ada@gmail.com", "ada@outlook.de", "ada@hotmail.co.uk"]) {
    for (let length = 0; length <= address.length; length++) {
      assert.equal(meantAddress(address.slice(0, length)), undefined, address.slice(0, length));
    }
  }
});

Deno.test("the inbox is known for common domains, whatever their case", () => {
  assert.deepEqual(webMailOf("ada@GoogleMail.com"), { name: "Gmail", href: "https://mail.google.com" });
  assert.equal(webMailOf("ada@gmx.at")?.name, "GMX");
  assert.equal(webMailOf("ada@notgmail.com"), undefined);
  assert.equal(webMailOf("ada"), undefined);
});
