/** Runs the snippets in the documentation, and checks its links and lists. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readEnvironment } from "../server/settings/store/environment.ts";
import { OWN_VARIABLES } from "../server/platform/config/config.ts";
import { loadConfigFile } from "../server/settings/hooks/config_file.ts";
import { settingsOf, tabs } from "../server/settings/schema/schema.ts";
import { fragmentPaths } from "../dev/release/changelog.ts";
import { startProgram } from "../dev/testing/program.ts";
import { launch } from "./browser.ts";

const SERVER = new URL("../server/", import.meta.url).href;
const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface Snippet {
  /** Page and line, for messages. */
  at: string;
  language: string;
  text: string;
}

/** Returns the paths of all pages, relative to the root. */
function pages(): string[] {
  const found = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "widget/npm/README.md",
  ];
  for (const folder of ["docs", "docs/contract", "docs/decisions"]) {
    for (const { name } of Deno.readDirSync(join(ROOT, folder))) {
      if (name.endsWith(".md")) found.push(`${folder}/${name}`);
    }
  }
  return found;
}

function snippetsOf(page: string): Snippet[] {
  const text = Deno.readTextFileSync(join(ROOT, page));
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map((match) => ({
    at: `${page}:${text.slice(0, match.index).split("\n").length}`,
    language: match[1]!,
    text: match[2]!,
  }));
}

const snippets = pages().flatMap(snippetsOf);
const snippetsIn = (language: string, pattern = /./) =>
  snippets.filter((snippet) => snippet.language === language && pattern.test(snippet.text));

const fragments = fragmentPaths(ROOT).map((path) => `changelog.d/${path}`);

Deno.test("every link in the documentation leads to an existing page and heading", () => {
  const slug = (heading: string) =>
    heading.toLowerCase().replace(/[`*]/g, "").replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
  for (const page of [...pages(), ...fragments]) {
    // A release moves the text of a fragment into CHANGELOG.md.
    const folder = page.startsWith("changelog.d/") ? "." : dirname(page);
    const text = Deno.readTextFileSync(join(ROOT, page)).replace(/^```[^]*?^```$/gm, "");
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path, anchor] = target!.split("#") as [string, string?];
      const file = path === "" ? page : relative(ROOT, join(ROOT, folder, path));
      assert.ok(existsSync(join(ROOT, file)), `${page} links to ${target}`);
      if (anchor === undefined) continue;
      const headings = [...Deno.readTextFileSync(join(ROOT, file)).matchAll(/^#+ (.+)$/gm)].map(([, h]) =>
        slug(h!)
      );
      assert.ok(headings.includes(anchor), `${page} links to ${target}`);
    }
  }
});

Deno.test("every page in docs/ is listed in its README", () => {
  const contents = Deno.readTextFileSync(join(ROOT, "docs/README.md"));
  for (const page of pages()) {
    const [, name] = page.match(/^docs\/([^/]+\.md)$/) ?? [];
    if (name && name !== "README.md") assert.ok(contents.includes(`](${name})`), name);
  }
});

Deno.test("every config file in the documentation is valid", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const [index, { at, text }] of snippetsIn("ts", /^export default /m).entries()) {
      const path = `${folder}/${index}.config.ts`;
      // Ellipses stand for the reader's own values.
      await Deno.writeTextFile(path, text.replaceAll("…", "x").replaceAll('"./server/', `"${SERVER}`));
      await loadConfigFile(path).catch((error) => assert.fail(`${at}: ${error.message}`));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every JSON snippet in the documentation is valid", () => {
  for (const { at, text } of snippetsIn("json")) assert.doesNotThrow(() => JSON.parse(text), at);
});

Deno.test("every environment variable in the documentation exists", () => {
  const text = pages().map((page) => Deno.readTextFileSync(join(ROOT, page))).join("\n");
  const files = ["docs/hosting/cfbe.env", "Dockerfile"].map((path) =>
    Deno.readTextFileSync(join(ROOT, path))
  );
  const names = new Set(
    [text, ...files].join("\n").match(/\bCFBE_[A-Z_]+\b/g)?.filter((n) => !n.startsWith("CFBE_TEST_")),
  );
  const problems = [...names].flatMap((name) => {
    try {
      readEnvironment({ [name]: "x" });
    } catch (error) {
      return (error as Error).message.match(/CFBE_\w+ is not a variable/g) ?? [];
    }
    return [];
  });
  assert.deepEqual(problems, []);
});

Deno.test("every environment variable and settings tab is documented", () => {
  const page = Deno.readTextFileSync(join(ROOT, "docs/configure.md"));
  const hosts = ["DENO_DEPLOY", "DENO_DEPLOYMENT_ID", "DENO_TIMELINE"];
  const variables = settingsOf().flatMap(({ about }) => about.variable ?? []);
  for (const name of [...OWN_VARIABLES, ...variables]) {
    assert.ok(hosts.includes(name) || page.includes(`\`${name}\``), name);
  }
  for (const tab of Object.keys(tabs)) assert.ok(page.includes(`| \`${tab}\` `), tab);
});

Deno.test("every task in the documentation exists", () => {
  const { tasks } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  for (const { at, text } of snippetsIn("sh")) {
    for (const [, task] of text.matchAll(/deno(?:@[\d.]+)? task (?:--config \S+ )?([\w:-]+)/g)) {
      assert.ok(tasks[task!], `${at}: ${task}`);
    }
  }
});

Deno.test("CONTRIBUTING.md lists exactly the existing tasks and dependencies", () => {
  const page = Deno.readTextFileSync(join(ROOT, "CONTRIBUTING.md"));
  const read = (path: string) => JSON.parse(Deno.readTextFileSync(join(ROOT, path)));
  const { tasks, imports, workspace } = read("deno.json");
  const listed = [...page.matchAll(/^deno task (\S+)/gm)].map(([, task]) => task);
  assert.deepEqual(listed.sort(), Object.keys(tasks).sort());

  const all: [string, string][] = [
    imports,
    ...workspace.map((folder: string) => read(`${folder}/deno.json`).imports),
  ].flatMap((some) => Object.entries<string>(some));
  // A name that ends with a slash maps the paths in a package.
  const packages = new Set(
    all.filter(([, target]) => !target.startsWith("./")).map(([name]) => name.replace(/\/$/, "")),
  );
  const dependencies = page.slice(page.indexOf("## Dependencies"));
  const rows = dependencies.split("\n").filter((line) => line.startsWith("| `")).map((line) =>
    line.split("|")[1]!
  );
  assert.deepEqual(rows.join().match(/(?<=`)[^`,\s]+(?=`)/g)?.sort(), [...packages].sort());
});

Deno.test("every call in the documentation succeeds", async () => {
  const secrets = {
    CFBE_API_TOKEN: "a-token-for-documented-calls",
    CFBE_SHOP_SECRET: "the shop's secret",
  };
  await using program = await startProgram({ env: secrets });
  for (const { at, text } of snippetsIn("sh", /^curl "\$CFBE_BASE_URL/m)) {
    const { success, stdout, stderr } = await new Deno.Command("bash", {
      args: ["-euc", text.replaceAll("curl ", "curl --fail-with-body --silent --show-error ")],
      env: { CFBE_BASE_URL: program.baseUrl, ...secrets },
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.ok(success, `${at}: ${output}`);
    assert.doesNotMatch(output, /"(success|ok)":false/, at);
  }
});

Deno.test({
  name: "every embed snippet in the documentation shows a form without errors",
  // The browser outlives a step of the sanitizers.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using program = await startProgram({
      file: { settings: { forms: { forms: [{ name: "footer" }] } } },
    });
    let embedded = "";
    const site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
      if (!url.endsWith("/")) return new Response(null, { status: 204 });
      const body = embedded.replaceAll("https://news.example", program.baseUrl);
      return new Response(`<!doctype html><html lang="en"><title>A page</title>${body}</html>`, {
        headers: { "content-type": "text/html" },
      });
    });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      // Checkout snippets need a shop, and have their own test.
      const embeds = snippetsIn("html", /cfbe\.js/).filter(({ text }) => !text.includes("data-checkout"));
      assert.ok(embeds.length > 3);
      for (const { at, text } of embeds) {
        embedded = text;
        await page.goto(`http://127.0.0.1:${site.addr.port}/`);
        const form = page.locator("cfbe-form [part=input], form [name=cfbe_hp], [data-cfbe-open]").first();
        await form.waitFor({ state: "attached", timeout: 10_000 }).catch(() => assert.fail(`${at}: no form`));
      }
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
      await site.shutdown();
    }
  },
});

Deno.test("docs/style.md lists exactly the custom properties of the widget", async () => {
  const sheets: string[] = [];
  for (const path of ["form/form.css", "form/fields.css", "layout/layout.css", "popup/popup.css"]) {
    sheets.push(await Deno.readTextFile(join(ROOT, "widget/src", path)));
  }
  const page = await Deno.readTextFile(join(ROOT, "docs/style.md"));
  const known = [...new Set(sheets.join().match(/(?<=--cfbe-)[a-z-]+/g))].sort();
  const rows = page.split("\n").filter((line) => line.startsWith("|")).slice(2, 5).map((line) =>
    line.split("|")[1]!
  );
  assert.deepEqual(rows.join().match(/(?<=`)[a-z-]+(?=`)/g)?.sort(), known);
});
