import assert from "node:assert/strict";
import fc from "fast-check";
import { mailboxOf } from "./mailbox.ts";

const examples: Record<string, string> = {
  "Ada@Example.com": "ada@example.com",
  "ada+news@example.com": "ada@example.com",
  "ada+a+b@example.com": "ada@example.com",
  "a.d.a@example.com": "a.d.a@example.com",
  "A.d.A@gmail.com": "ada@gmail.com",
  "a.d.a+x.y@googlemail.com": "ada@gmail.com",
  "ada@GoogleMail.com": "ada@gmail.com",
  "a.d.a@mail.gmail.com": "a.d.a@mail.gmail.com",
  "a.d.a@notgmail.com": "a.d.a@notgmail.com",
  "+news@example.com": "+news@example.com",
  "...@gmail.com": "...@gmail.com",
  ".+x@gmail.com": ".@gmail.com",
  "a@b@example.com": "a@b@example.com",
  "ada@constructor": "ada@constructor",
};
for (const [address, mailbox] of Object.entries(examples)) {
  Deno.test(`${address} belongs to the mailbox ${mailbox}`, () => assert.equal(mailboxOf(address), mailbox));
}

const local = fc.stringMatching(/^[a-z0-9.+_-]{1,20}$/);
const domain = fc.oneof(fc.domain(), fc.constantFrom("gmail.com", "googlemail.com"));
const address = fc.oneof(fc.emailAddress(), fc.tuple(local, domain).map((parts) => parts.join("@")));

Deno.test("mailboxOf is idempotent", () => {
  fc.assert(fc.property(address, (given) => {
    assert.equal(mailboxOf(mailboxOf(given)), mailboxOf(given));
  }));
});

Deno.test("a mailbox has a local part and a domain", () => {
  fc.assert(fc.property(address, (given) => assert.match(mailboxOf(given), /^.+@.+$/)));
});

Deno.test("case and tags do not change the mailbox, and for Gmail neither do dots or the googlemail.com domain", () => {
  const plain = fc.stringMatching(/^[a-z0-9]{1,20}$/);
  fc.assert(
    fc.property(plain, domain, fc.stringMatching(/^[a-z0-9.]{0,9}$/), fc.nat(19), (name, at, tag, dot) => {
      const mailbox = mailboxOf(`${name}@${at}`);
      assert.equal(mailboxOf(`${name.toUpperCase()}+${tag}@${at.toUpperCase()}`), mailbox);
      const dotted = `${name.slice(0, dot)}.${name.slice(dot)}`;
      const gmail = mailboxOf(`${name}@gmail.com`);
      assert.equal(mailboxOf(`${dotted}@gmail.com`), gmail);
      assert.equal(mailboxOf(`${dotted}@googlemail.com`), gmail);
    }),
  );
});

Deno.test("different local parts are different mailboxes", () => {
  const plain = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
  fc.assert(fc.property(plain, plain, domain, (one, two, at) => {
    assert.equal(mailboxOf(`${one}@${at}`) === mailboxOf(`${two}@${at}`), one === two);
  }));
});
