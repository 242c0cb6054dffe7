import assert from "node:assert/strict";
import { h } from "preact";
import { render } from "preact-render-to-string";
import { z } from "zod";
import { settingRows } from "../../dev/settings_table.ts";
import { FormContext, type FormState } from "../admin/parts/form.tsx";
import { SettingInput } from "../admin/parts/setting.tsx";
import { settingsList } from "../cli/commands/settings.ts";
import { ConfigError } from "../platform/config/config.ts";
import { settingsOf, tabs } from "../settings/schema/schema.ts";
import { ABOUT, secretsAmong, settingsIn } from "../platform/config/setting.ts";
import { layerOf, readEnvironment } from "../settings/store/environment.ts";
import { openApiDocument } from "./openapi/document.ts";

/** Two settings that cfbe does not have. Each is declared here, and nowhere else. */
const log = z.strictObject({
  keep: z.strictObject({
    days: z.number().int().min(2).max(99).default(30).register(ABOUT, {
      label: "Keep the log for",
      unit: "days",
      help: "Older lines of `data/log` are deleted.",
      variable: "CFBE_LOG_DAYS",
      inVariable: z.coerce.number("must be a number"),
    }),
  }).prefault({}),
  token: z.string().max(80).default("").register(ABOUT, {
    label: "Token of the log server",
    secret: true,
    variable: "CFBE_LOG_TOKEN",
  }),
}).prefault({});

const schema = z.strictObject({ ...tabs, log });
const settings = settingsIn(schema);

Deno.test("a declared setting is set by its variable, and a wrong value is named", () => {
  const config = readEnvironment({ CFBE_LOG_DAYS: "7", CFBE_LOG_TOKEN: "t" }, settings);
  assert.deepEqual(layerOf(config, settings)["log"], { keep: { days: 7 }, token: "t" });
  assert.equal(schema.parse(layerOf(config, settings)).log.keep.days, 7);
  assert.throws(
    () => readEnvironment({ CFBE_LOG_DAYS: "many", CFBE_LOG_TOKN: "t" }, settings),
    (error) => {
      assert.deepEqual((error as ConfigError).problems, [
        "Unknown variable CFBE_LOG_TOKN. Did you mean CFBE_LOG_TOKEN?",
        "CFBE_LOG_DAYS must be a number",
      ]);
      return true;
    },
  );
});

Deno.test("a declared secret is one of the secrets", () => {
  assert.deepEqual(secretsAmong(settings).at(-1), ["log", "token"]);
});

Deno.test("a declared setting has its input in the admin, with label, help, unit and bounds", () => {
  const form: FormState = {
    id: "form",
    value: (path) => path === "fields.keep.days" ? 30 : undefined,
    savedNow: () => undefined,
    error: () => undefined,
    ownError: () => undefined,
    lockedBy: () => undefined,
    readOnly: false,
    isSent: false,
    edit: undefined,
  };
  const inputs = settings.slice(-2).map((setting) => h(SettingInput, { ...setting, secret: "hidden-value" }));
  const html = render(h(FormContext.Provider, { value: form, children: inputs }));
  assert.match(html, /<label for="form-fields-keep-days">Keep the log for<\/label>/);
  assert.match(html, /<input type="number" min="2" max="99" [^>]*name="n:fields\.keep\.days" value="30"/);
  assert.match(html, /<span class="unit">days<\/span>/);
  assert.match(html, /Older lines of <code>data\/log<\/code> are deleted\./);
  assert.match(html, /<input type="password" [^>]*name="fields\.token"/);
  assert.doesNotMatch(html, /hidden-value/);
});

Deno.test("a declared setting is explained by the command line, docs/configure.md and OpenAPI", () => {
  const about = "Keep the log for … days. Older lines of `data/log` are deleted. Variable: `CFBE_LOG_DAYS`.";
  const [line, text] = settingsList("log.keep", settings).split("\n");
  assert.equal(line, "log.keep.days: whole number from 2 to 99; default 30");
  assert.equal(text, `  ${about}`);
  assert.equal(
    settingRows(settings).at(-2),
    `| \`log.keep.days\` | whole number from 2 to 99 | \`30\` | ${about} |`,
  );
  const { Settings } = openApiDocument("https://news.example", schema).components!.schemas!;
  assert.deepEqual((Settings as { properties: Record<string, object> }).properties["log"], {
    type: "object",
    default: {},
    additionalProperties: false,
    properties: {
      keep: {
        type: "object",
        default: {},
        additionalProperties: false,
        properties: { days: { type: "integer", minimum: 2, maximum: 99, default: 30, description: about } },
      },
      token: {
        type: "string",
        maxLength: 80,
        default: "",
        writeOnly: true,
        description:
          "Token of the log server. Secret: stored encrypted, and never shown. Variable: `CFBE_LOG_TOKEN`.",
      },
    },
  });
});

Deno.test("every setting is declared, except what only the program writes", () => {
  const declared = settingsOf().map(({ path }) => path.split(".").slice(0, 2).join("."));
  const all = Object.entries(tabs).flatMap(([tab, { def }]) =>
    Object.keys(shapeIn(def.innerType)).map((name) => `${tab}.${name}`)
  );
  assert.deepEqual(all.filter((path) => !declared.includes(path)), [
    "webhooks.registeredUrl",
    "webhooks.registeredAt",
    "webhooks.previousUntil",
  ]);
});

function shapeIn(schema: z.ZodType): object {
  const { shape, innerType } = schema.def as { shape?: object; innerType?: z.ZodType };
  return shape ?? shapeIn(innerType!);
}
