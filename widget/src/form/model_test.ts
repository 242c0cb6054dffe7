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
  const { state } = model;
  /** Returns whether typing a value changes the state. */
  const changes = async (name: string, value: string) => {
    const before = state.peek();
    model.input({ name, value } as HTMLInputElement);
    await new Promise((resolve) => setTimeout(resolve));
    return state.peek() !== before;
  };
  assert.ok(!await changes("email", "ada"));
  assert.ok(!await changes("name", "Ada"));
  assert.ok(await changes("email", "ada@gmial.com"));
  assert.equal(state.peek().suggestion, "ada@gmail.com");
  assert.ok(!await changes("email", "ada@gmial.com"));
  assert.ok(await changes("email", "ada@gmail.com"));
  assert.deepEqual([state.peek().suggestion, state.peek().webMail?.name], [undefined, "Gmail"]);
  assert.ok(await changes("email", "ada@gmx.de"));
  assert.equal(state.peek().webMail?.name, "GMX");

  model.set({ errors: { email: "Invalid.", company: "Missing." } });
  assert.ok(!await changes("fields[other]", "x"));
  assert.ok(await changes("fields[company]", "x"));
  assert.ok(!await changes("fields[company]", "xy"));
  assert.equal(state.peek().errors.email, "Invalid.");
});
