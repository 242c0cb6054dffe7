import assert from "node:assert/strict";
import { adminHarness } from "../testing/admin_harness.ts";
import { startProgram } from "../testing/program.ts";
import { partsPage } from "./parts.tsx";

const PARTS = new URL("../../server/admin/parts/", import.meta.url);

/** Parts that need the settings and the form of a real page. What they consist of is shown. */
const ELSEWHERE = [
  "DeclaredInput",
  "LivePreview",
  "PasskeyButton",
  "Setting",
  "SettingInput",
  "SettingsForm",
];

/** States of parts, each with how the page of parts shows it. */
const STATES: Record<string, RegExp> = {
  "a primary button": /<button type="button" class="primary">/,
  "a disabled primary button": /<button type="button" class="primary" disabled>/,
  "a busy primary button": /aria-busy="true">(?:<button[^>]*>\w*<\/button>)*<button [^>]*class="primary"/,
  "a focused primary button": /<button type="button" class="primary focused">/,
  "a focused field": /<input class="focused"/,
  "an open dialog": /<dialog [^>]*\bopen\b/,
  "an empty field": /<input (?=[^>]*id="empty-text")(?=[^>]* value\/?>)/,
  "a read-only field": /<fieldset [^>]*disabled>(?:(?!<\/fieldset>).)*id="read-only-text"/s,
  "a secret without a value": /<input (?=[^>]*id="empty-secret")(?=[^>]* placeholder )/,
  "an invalid secret": /<input (?=[^>]*id="invalid-secret")(?=[^>]*aria-invalid="true")/,
  "a locked secret": /<input (?=[^>]*id="locked-secret")(?=[^>]*disabled)/,
  "a locked inherited value":
    /<input (?=[^>]*id="locked-inherited")(?=[^>]*describedby="locked-inherited-fixed")/,
  "an empty list": /<fieldset [^>]*id="empty-rows"(?:(?!<\/fieldset>).)*No rows yet/s,
  "an invalid list": /<fieldset [^>]*id="invalid-rows"[^>]* aria-describedby="invalid-rows-error"/,
  "a locked list": /<fieldset (?=[^>]*id="locked-rows")(?=[^>]*disabled)/,
  "a chart of zeros": /id="parts-chart-zeros-title"(?:(?!<\/svg>|class="bar").)*<\/svg>/s,
  "a table without rows": /<tbody><\/tbody>/,
};

Deno.test("the page of parts shows every part of the admin", async () => {
  const pages = await Array.fromAsync(Deno.readDir(new URL(".", import.meta.url)));
  const sources = await Promise.all(
    [
      ...pages.filter(({ name }) => /^parts\w*\.tsx$/.test(name)).map(({ name }) => name),
      // The frame of every page.
      "../../server/admin/shell/shell.tsx",
    ].map((file) => Deno.readTextFile(new URL(file, import.meta.url))),
  );
  const shown = new Set([...sources.join().matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name!));
  const parts: string[] = [];
  for await (const { name: file } of Deno.readDir(PARTS)) {
    if (!file.endsWith(".tsx")) continue;
    const source = await Deno.readTextFile(new URL(file, PARTS));
    parts.push(...[...source.matchAll(/^export function ([A-Z]\w*)/gm)].map(([, name]) => name!));
  }
  assert.deepEqual(parts.filter((name) => !shown.has(name)).toSorted(), ELSEWHERE);
});

Deno.test("the page of parts shows every state of a part", async () => {
  await using app = await adminHarness({ adminPages: [partsPage] });
  const { html } = await (await app.signIn()).page("/parts");
  const missing = Object.entries(STATES).filter(([, look]) => !look.test(html)).map(([state]) => state);
  assert.deepEqual(missing, []);
});

Deno.test("the program that users run has no page of parts", async () => {
  await using program = await startProgram();
  const { users, sessions } = program.services.admin;
  await users.add({ name: "ann", role: "admin", password: "long enough for me" });
  const cookie = `cfbe=${await sessions.open((await users.find("ann"))!)}`;
  const statusOf = async (path: string) => {
    const response = await fetch(`${program.baseUrl}/admin${path}`, { headers: { cookie } });
    await response.body?.cancel();
    return response.status;
  };
  assert.deepEqual([await statusOf("/account"), await statusOf("/parts")], [200, 404]);
});

Deno.test("no two elements of the page of parts have the same ID", async () => {
  await using app = await adminHarness({ adminPages: [partsPage] });
  const { html } = await (await app.signIn()).page("/parts");
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), []);
});
