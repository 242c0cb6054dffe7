import assert from "node:assert/strict";
import { suggestAddress, webMailOf } from "./mail_domains.ts";

Deno.test("a typo in a common domain is corrected", () => {
  const typos = {
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
    "ada@comcst.net": "ada@comcast.net",
    "ada@btinternt.com": "ada@btinternet.com",
    "ada@optusnt.com.au": "ada@optusnet.com.au",
  };
  for (const [typed, suggestion] of Object.entries(typos)) assert.equal(suggestAddress(typed), suggestion);
});

Deno.test("existing domains are never corrected, however similar to a common one", () => {
  for (
    const domain of [
      "gmail.com",
      "ymail.com",
      "mail.com",
      "gmx.net",
      "web.de",
      "me.com",
      "mac.com",
      "cox.net",
      "gmx.com",
      "yandex.ru",
      "live.nl",
      "example.com",
      "email.com",
      "hotmail.se",
      "hotmail.dk",
      "outlook.dk",
      "outlook.ie",
      "yahoo.se",
      "yahoo.com.ar",
    ]
  ) {
    assert.equal(suggestAddress(`ada@${domain}`), undefined, domain);
  }
});

Deno.test("nothing is suggested while a common domain is still being typed", () => {
  for (const address of ["ada@gmail.com", "ada@outlook.de", "ada@hotmail.co.uk"]) {
    for (let length = 0; length <= address.length; length++) {
      assert.equal(suggestAddress(address.slice(0, length)), undefined, address.slice(0, length));
    }
  }
});

Deno.test("common domains have an inbox link, in any case", () => {
  assert.deepEqual(webMailOf("ada@GoogleMail.com"), { name: "Gmail", href: "https://mail.google.com" });
  assert.equal(webMailOf("ada@gmx.at")?.name, "GMX");
  assert.equal(webMailOf("ada@notgmail.com"), undefined);
  assert.equal(webMailOf("ada"), undefined);
});
