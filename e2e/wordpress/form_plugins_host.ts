/**
 * The newsletter checkbox in the forms of other plugins. `CFBE_TEST_PLUGINS` is a folder with the real ones; the hooks of
 * those that are missing are fired by a stand-in.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { run } from "../process.ts";
import { waitUntil } from "../program.ts";
import { statusOf, visit, waitForStatus } from "../visitors.ts";
import { runCron, setApiToken, TEXT, waitingSignups } from "./checkboxes.ts";
import { PLUGINS } from "./folders.ts";
import { FORM_PLUGINS, type FormPlugin } from "./form_plugins.ts";
import { quoted } from "./site.ts";
import { hostTest, sharedStage } from "./stage.ts";

const STAND_IN = fileURLToPath(new URL("form_plugins_stand_in.php", import.meta.url));

const stage = sharedStage();
Deno.test.beforeAll(() => setApiToken(stage().site));

const isReal = async ({ files }: FormPlugin) => {
  const found = files.map((file) => Deno.stat(`${PLUGINS}/${file}`).then(() => true, () => false));
  return PLUGINS !== undefined && (await Promise.all(found)).every(Boolean);
};

/** Activates a form plugin or its stand-in, and returns the content of a page with its forms. */
async function openForms(plugin: FormPlugin): Promise<string> {
  const { site } = stage();
  const folder = `${site.folder}/wp-content/plugins`;
  if (await isReal(plugin)) {
    for (const file of plugin.files) {
      await run("cp", ["-r", `${PLUGINS}/${file.split("/")[0]}`, folder]);
      await site.activate(file);
    }
    return await site.php<string>(plugin.forms);
  }
  await site.php(`return update_option( 'form_plugins_stand_in', ${quoted(plugin.id)} );`);
  await Deno.copyFile(STAND_IN, `${folder}/form_plugins_stand_in.php`);
  await site.activate("form_plugins_stand_in.php");
  return "[stand_in_form email=1] [stand_in_form]";
}

for (const plugin of FORM_PLUGINS) {
  const kind = await isReal(plugin) ? "real plugin" : "stand-in";
  hostTest(
    `${plugin.id} (${kind}): a ticked checkbox signs up, and only forms with an email field have one`,
    async () => {
      const { program, site, browser, set } = stage();
      const content = await openForms(plugin);
      await set({ checkboxes: { [plugin.id]: { on: true, text: TEXT } } });
      const { page } = await visit(browser, await site.publish(plugin.id.replaceAll("_", "-"), content));
      const box = page.getByRole("checkbox", { name: TEXT });
      assert.equal(await box.count(), 1);
      const submit = page.locator("form", { has: box }).locator("[type=submit]");
      const [boxAt, submitAt] = [(await box.boundingBox())!, (await submit.boundingBox())!];
      assert.ok(boxAt.y < submitAt.y, "the checkbox is above the submit button");
      assert.equal(await box.isChecked(), false);
      // Gravity Forms takes example.com for spam.
      const email = `${plugin.id}@mail.example`;
      await page.locator("input[type=email]").fill(email);
      await box.check();
      await submit.click();
      await waitUntil("the signup is queued", 15_000, async () => await waitingSignups(site) === 1);
      await runCron(site);
      await waitForStatus(program, email, "pending");
      const { consents: [consent] } = await statusOf(program, email);
      assert.deepEqual([consent!.given, consent!.text], [true, TEXT]);
      const active = ["form_plugins_stand_in.php", ...plugin.files.toReversed()].map(quoted);
      await site.php(`return deactivate_plugins( array( ${active.join(", ")} ) );`);
    },
  );
}
