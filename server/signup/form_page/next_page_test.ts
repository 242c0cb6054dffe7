import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";

const NEXT = "https://shop.example/thanks";

interface Sent {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Submits a form on its own page, and returns the whole response. */
async function submit(app: Harness, path: string, email: string, honeypot = ""): Promise<Sent> {
  const body = new URLSearchParams({ email, cfbe_hp: honeypot, cfbe_token: app.token() });
  const response = await app.fetch(path, { method: "POST", body });
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

Deno.test("the form page leads to the form's next page with 303, and to the message if the form has none", async () => {
  const forms = [{ name: "club" }, { name: "stay", successUrl: "" }, { name: "path", successUrl: "/there" }];
  await using app = await harness({ settings: { form: { successUrl: NEXT }, forms: { forms } } });
  for (const path of ["/form", "/form/club"]) {
    const { status, headers } = await submit(app, path, "ann@example.com");
    assert.deepEqual([status, headers["location"], headers["cache-control"]], [303, NEXT, "no-store"]);
  }
  for (const path of ["/form/stay", "/form/path"]) {
    const { status, text } = await submit(app, path, "ben@example.com");
    assert.equal(status, 200);
    assert.match(text, /check your inbox/);
  }
  await app.services.settings.save("general", { origins: ["https://shop.example"] });
  const { headers } = await submit(app, "/form/path", "cleo@example.com");
  assert.equal(headers["location"], "https://shop.example/there");
});

Deno.test("on the form page, a new, a subscribed and a dropped address get the same redirect, whatever the setting for subscribers", async () => {
  for (const showAlreadySubscribed of [false, true]) {
    await using app = await harness({ settings: { form: { successUrl: NEXT, showAlreadySubscribed } } });
    app.provider.put(LIST, "old@example.com", "active");
    const fresh = await submit(app, "/form", "new@example.com");
    const subscribed = await submit(app, "/form", "old@example.com");
    const dropped = await submit(app, "/form", "bot@example.com", "filled in");
    assert.equal(fresh.status, 303);
    assert.deepEqual([subscribed, dropped], [fresh, fresh]);
    assert.equal(await app.record("bot@example.com"), null);
  }
});

Deno.test("a rejected signup stays on the form page", async () => {
  await using app = await harness({ settings: { form: { successUrl: NEXT } } });
  const { status, headers } = await submit(app, "/form", "no address");
  assert.deepEqual([status, headers["location"]], [400, undefined]);
});

Deno.test("the policy of a form page lets its form lead to the next page, and without one only to itself", async () => {
  const forms = [{ name: "stay", successUrl: "" }];
  await using app = await harness({ settings: { form: { successUrl: NEXT }, forms: { forms } } });
  const targets = async (path: string) => {
    const { headers } = await app.fetch(path);
    return /form-action ([^;]*)/.exec(headers.get("content-security-policy")!)![1]!.split(" ");
  };
  assert.equal((await targets("/form"))[0], "https:");
  assert.ok(!(await targets("/form/stay")).includes("https:"));
});
