import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram } from "../../../dev/testing/program.ts";

Deno.test("the form page asks for, checks and proves what its form shows, whatever configuration it is submitted with", async () => {
  const clock = new ManualClock();
  const form = { nameField: "required", consent: "required", consentText: "Default text." } as const;
  const own = { nameField: "hidden", consentText: "Own text.", texts: { emailLabel: "Own label" } } as const;
  await using program = await startProgram({
    clock,
    file: { settings: { form, forms: { forms: [{ name: "plain" }, { name: "own", ...own }] } } },
  });
  const open = async (path: string) => await (await fetch(program.baseUrl + path)).text();
  const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!;
  const html = await open("/form/own");
  assert.match(html, /Own label[^]*Own text\./);
  assert.doesNotMatch(html, /name="name"/);
  assert.match(await open("/form/plain"), /name="name"[^]*Default text\./);

  await clock.advance(3_000);
  const configs = [hidden(html, "cfbe_cfg"), hidden(await open("/form/plain"), "cfbe_cfg")];
  for (const cfbe_cfg of configs) {
    const body = new URLSearchParams({
      email: "ann@example.com",
      consent: "true",
      cfbe_token: hidden(html, "cfbe_token"),
      cfbe_cfg,
    });
    const response = await fetch(`${program.baseUrl}/form/own`, { method: "POST", body });
    assert.match(await response.text(), /check your inbox/);
  }
  const [status] = (await signupStatuses(program.services, "ann@example.com"))!;
  assert.deepEqual(status!.consents.map(({ text }) => text), ["Own text.", "Own text."]);
});
