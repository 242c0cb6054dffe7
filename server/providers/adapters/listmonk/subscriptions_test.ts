import assert from "node:assert/strict";
import { transport } from "../../../platform/http/outbound/transport.ts";
import { serveListmonk } from "./testing/serve.ts";

Deno.test("a signup's properties are attributes of a new person, beside the tags, and change nobody who exists", async () => {
  await using served = await serveListmonk();
  const { list, url, apiKey } = served;
  const provider = served.provider();
  await provider.saveContact("known@example.com", { tags: [], properties: { size: "s" } });
  for (const email of ["new@example.com", "known@example.com"]) {
    await provider.subscribe({ list, email }, { tags: ["news"], properties: { size: "l", tags: "x" } });
  }
  const attributes = async (name: string) => {
    const response = await transport(`${url}/api/subscribers?search=${name}`, {
      headers: { authorization: `token ${apiKey}` },
    });
    return (await response.json()).data.results[0].attribs;
  };
  assert.deepEqual(await attributes("new"), { size: "l", tags: ["news"] });
  assert.deepEqual(await attributes("known"), { size: "s", tags: [] });
});

Deno.test("somebody who unsubscribed waits for a new confirmation, unless they complained, bounced or are disabled", async () => {
  type Double = Awaited<ReturnType<typeof serveListmonk>>["double"];
  const left = async (email: string, arrange: (double: Double) => void) => {
    await using served = await serveListmonk();
    const target = { list: served.list, email };
    const provider = served.provider();
    await provider.subscribe(target, { tags: [] });
    served.double.confirm(target.list, email);
    served.double.unsubscribe(target.list, email);
    arrange(served.double);
    const result = await provider.subscribe(target, { tags: [] });
    const status = await provider.status(target);
    assert.deepEqual(served.mails, []);
    return [result.kind, status.kind === "found" && status.status];
  };
  const email = "left@example.com";
  assert.deepEqual(await left(email, () => {}), ["accepted", "pending"]);
  for (const type of ["complaint", "hard"] as const) {
    assert.deepEqual(await left(email, (double) => double.bounce(email, type)), [
      "suppressed",
      "unsubscribed",
    ]);
  }
  assert.deepEqual(await left(email, (double) => double.showBounces(false)), ["left", "unsubscribed"]);
  assert.deepEqual(await left(email, (double) => double.blocklist(email)), ["suppressed", "suppressed"]);
});

Deno.test("an email that listmonk could not send is reported as not sent, so that it is requested again", async () => {
  await using served = await serveListmonk();
  const target = { list: served.list, email: "ada@example.com" };
  const provider = served.provider();
  served.double.mailServer("down");
  assert.deepEqual(await provider.subscribe(target, { tags: [] }), { kind: "accepted", isPending: true });
  const failed = await provider.resend(target);
  assert.deepEqual([failed.kind, failed.kind === "trouble" && failed.unknown], ["trouble", false]);
  served.double.mailServer("up");
  assert.deepEqual([await provider.resend(target), served.mails], [{ kind: "sent" }, [target.email]]);
});

Deno.test("a signup to a list that was deleted at listmonk says so, without the text of its database", async () => {
  await using served = await serveListmonk();
  const provider = served.provider();
  const known = { list: served.list, email: "known@example.com" };
  await provider.subscribe(known, { tags: [] });
  for (const email of ["new@example.com", known.email]) {
    const result = await provider.subscribe({ list: "999", email }, { tags: [] });
    assert.match(JSON.stringify(result), /listmonk has no such list/, email);
    assert.doesNotMatch(JSON.stringify(result), /pq:|foreign key/, email);
  }
});
