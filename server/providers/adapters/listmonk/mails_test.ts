import assert from "node:assert/strict";
import { serveListmonk } from "./testing/serve.ts";

/** Sends an email from a template that exists, for which listmonk answers with HTTP 400 and a message. */
async function refusedWith(message: string) {
  await using served = await serveListmonk();
  const template = served.double.addTemplate("Your order", "tx");
  served.double.refuseMails(message);
  const mail = { template, email: "ada@example.com", data: {} };
  const first = await served.provider().sendTransactional(mail);
  served.double.refuseMails("");
  const second = await served.provider().sendTransactional(mail);
  assert.deepEqual([second, served.mails], [{ kind: "sent" }, [mail.email]]);
  return first;
}

for (
  const message of [
    'Error rendering message: template: content:1: function "order" not defined',
    "Fehler beim Rendern der Nachricht: template: content:1: unexpected EOF",
    "Unknown messenger email.",
    "an error of a later version",
  ]
) {
  Deno.test(`an email that listmonk can't make is retried, and not lost: ${message}`, async () => {
    const result = await refusedWith(message);
    assert.ok(result.kind === "trouble");
    assert.equal(result.unknown, false);
    assert.match(result.reason, /^listmonk can't make an email from template \d+ \(HTTP 400\)$/);
  });
}

for (const message of ["Invalid email.", "The e-mail domain is blocklisted."]) {
  Deno.test(`an email to an address that listmonk rejects is not retried: ${message}`, async () => {
    assert.deepEqual(await refusedWith(message), {
      kind: "refused",
      reason: "listmonk rejected the request (HTTP 400)",
    });
  });
}
