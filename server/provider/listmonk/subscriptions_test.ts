import assert from "node:assert/strict";
import { transport } from "../../http/outbound/transport.ts";
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

