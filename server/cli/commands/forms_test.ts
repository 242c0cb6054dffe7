import assert from "node:assert/strict";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("a form is exported and imported on the command line, and a file with problems changes nothing", async () => {
  await using program = await runningService();
  const env = program.shell;
  const { settings } = program.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hello" }] });
  const exported = await cfbe({ env }, "forms", "export", "footer");
  assert.equal(exported.code, 0);
  assert.equal((await cfbe({ env }, "forms", "export", "gone")).code, 3);
  const imported = await cfbe({ env, input: exported.out }, "forms", "import", "-", "--name", "copy");
  assert.deepEqual([imported.code, imported.out], [0, "copy was added as a draft."]);
  const copy = settings.current().forms.forms.find(({ name }) => name === "copy");
  assert.deepEqual([copy?.heading, copy?.status], ["Hello", "draft"]);
  const input = exported.out.replace('"inline"', '"round"');
  const refused = await cfbe({ env, input }, "forms", "import", "-", "--name", "other");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /form\.layout: Choose one of: inline, block, promo/);
  assert.equal(settings.current().forms.forms.length, 2);
});
