import assert from "node:assert/strict";
import { loadConfigFile } from "../hooks/config_file.ts";

Deno.test("a wrong value in the config file is reported in plain words, and never with the value itself", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-config-" });
  const path = `${folder}/cfbe.config.ts`;
  await Deno.writeTextFile(
    path,
    `export default { settings: {
      general: { apiKey: 4711, defaultList: ["l"], modules: { coupons: "yes" } },
      privacy: { trustedHops: -1, ipSource: "nosuch" },
      coupon: { prefix: "x".repeat(99), kind: undefined },
      forms: { forms: [{}] },
    }, filters: { cfbe_tags: 5 } };`,
  );
  try {
    await assert.rejects(loadConfigFile(path), (error: Error) => {
      const problems = error.message.replaceAll(`${path}: `, "");
      assert.match(problems, /settings\.general\.defaultList must be text in quotes, not a list/);
      assert.match(problems, /settings\.general\.modules\.coupons must be true or false, not text/);
      assert.match(problems, /settings\.privacy\.ipSource must be "default" or "cf-connecting-ip"/);
      assert.match(problems, /settings\.privacy\.trustedHops must be at least 1/);
      assert.match(problems, /settings\.forms\.forms\.0\.name is missing/);
      assert.match(problems, /filters\.cfbe_tags must be a function or a list of functions/);
      assert.doesNotMatch(problems, /4711|Invalid (input|option)|expected|received|Too (small|big)/);
      return true;
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
