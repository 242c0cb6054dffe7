import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import type { Attributes } from "./attributes.ts";
import * as mail from "./mail_domains.ts";
import { createModel } from "./model.ts";

Deno.test("typing changes the state, and so renders the form, only if an error, a suggestion or a webmail service changes", async () => {
  const context = { load: () => Promise.resolve(mail) } as unknown as Context;
  const settings = { forms: {} } as unknown as PublicSettings;
  const model = createModel(new EventTarget() as Node, context, settings, {} as Attributes);
  /** Returns whether typing a value changes the state. */
  const changes = async (name: string, value: string) => {
    const before = model.state;
    model.input({ name, value } as HTMLInputElement);
    await new Promise((resolve) => setTimeout(resolve));
    return model.state !== before;
  };
  assert.ok(!await changes("email", "ada"));
  assert.ok(!await changes("name", "Ada"));
  assert.ok(await changes("email", "ada@gmial.com"));
  assert.equal(model.state.suggestion, "ada@gmail.com");
  assert.ok(!await changes("email", "ada@gmial.com"));
  assert.ok(await changes("email", "ada@gmail.com"));
  assert.deepEqual([model.state.suggestion, model.state.webMail?.name], [undefined, "Gmail"]);
  assert.ok(await changes("email", "ada@gmx.de"));
  assert.equal(model.state.webMail?.name, "GMX");

  model.set({ errors: { email: "Invalid.", company: "Missing." } });
  assert.ok(!await changes("fields[other]", "x"));
  assert.ok(await changes("fields[company]", "x"));
  assert.ok(!await changes("fields[company]", "xy"));
  assert.equal(model.state.errors.email, "Invalid.");
});
