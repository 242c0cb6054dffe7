/** Tests that the contract and the decisions are numbered in order, cite existing tests, and are cited correctly. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string) => Deno.readTextFileSync(ROOT + path);

/** Returns the pages that an index links to in `folder`, in its order, as paths from the root. */
function linked(index: string, folder: string): string[] {
  const names = read(index).matchAll(/\]\(((?:contract\/)?\d+-[a-z0-9-]+\.md)\)/g);
  return [...names].map(([, name]) => `${folder}/${name!.replace("contract/", "")}`);
}

const pagesIn = (folder: string) =>
  [...Deno.readDirSync(ROOT + folder)].map(({ name }) => `${folder}/${name}`).filter((path) =>
    /\/\d+-/.test(path)
  ).sort();

const chapters = linked("docs/contract.md", "docs/contract");
const decisions = linked("docs/decisions/README.md", "docs/decisions");

interface Statement {
  number: string;
  /** The tests that the statement cites: the file, and the test's name or a part of it. */
  tests: { file: string; name: string }[];
}

function statementsOf(page: string): Statement[] {
  return read(page).split(/^(?=\*\*\d)/m).slice(1).map((text) => ({
    number: /^\*\*([\d.]+)\*\* /.exec(text)?.[1] ?? text.slice(0, 20),
    tests: text.split(/^- /m).slice(1).map((item) => {
      const [, file, name] = /^\[(.+)\]\(\.\.\/\.\.\/\1\): “(.+)”$/.exec(item.replace(/\s+/g, " ").trim()) ??
        [];
      assert.ok(file && name, `${page}: ${item} is not a link to a test file and the test's name in “”`);
      return { file, name };
    }),
  }));
}

const statements = chapters.flatMap(statementsOf);

/** Returns every string literal in a file. A test's name may be an argument, a row of a table or a key of a suite. */
function stringsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) {
      // Joined by line breaks, so that no name matches across a placeholder.
      found.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join("\n"),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
  return found;
}

const SOURCES = ["server", "shared", "widget/src", "widget/npm", "e2e", "bridge/wordpress", "docs"];
const OUTSIDE = /^(node_modules|dist|dist-npm|screenshots)$/;
const TEXT = /\.(tsx?|php|css|js|md)$/;

function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].filter(({ name }) => !OUTSIDE.test(name)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return filesIn(path);
    return TEXT.test(path) ? [path] : [];
  });
}

/** Every source and page, with each comment on one line: a citation may be wrapped. */
const texts = [...SOURCES.flatMap(filesIn), "ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"]
  .filter((path) => existsSync(ROOT + path))
  .map((path) => ({ path, text: read(path).replace(/\s*\n\s*(?:\*(?!\*)|\/\/)?\s*/g, " ") }));

Deno.test("the contract's statements are numbered in order, each number once, on the pages that its index lists", () => {
  assert.deepEqual(chapters, pagesIn("docs/contract"));
  const expected = chapters.flatMap((page, chapter) =>
    statementsOf(page).map((_, index) => `${chapter + 1}.${index + 1}`)
  );
  assert.ok(expected.length > 100);
  assert.deepEqual(statements.map(({ number }) => number), expected);
});

Deno.test("every statement of the contract cites tests, and each of them exists exactly once in the cited file", () => {
  const strings = new Map<string, string[]>();
  const wrong: string[] = [];
  for (const { number, tests } of statements) {
    if (tests.length === 0) wrong.push(`${number} cites no test`);
    for (const { file, name } of tests) {
      if (!existsSync(ROOT + file)) wrong.push(`${number}: ${file} is missing`);
      else {
        if (!strings.has(file)) strings.set(file, stringsOf(file));
        const exact = strings.get(file)!.filter((text) => text === name).length;
        const found = exact || strings.get(file)!.filter((text) => text.includes(name)).length;
        if (found !== 1) wrong.push(`${number}: ${file} has ${found} tests named “${name}”`);
      }
    }
  }
  const advice = "If a test was renamed or moved, update its citation in docs/contract.";
  assert.ok(wrong.length === 0, [advice, ...wrong].join("\n"));
});

Deno.test("decisions are numbered in order, listed in their index by title, and have the same three sections", () => {
  assert.deepEqual(decisions, pagesIn("docs/decisions"));
  const index = read("docs/decisions/README.md");
  for (const [at, page] of decisions.entries()) {
    const number = at + 1;
    assert.ok(page.startsWith(`docs/decisions/${String(number).padStart(4, "0")}-`), page);
    const title = /^# (\d+)\. (.+)\n/.exec(read(page)) ?? [];
    assert.equal(title[1], String(number), page);
    assert.ok(index.includes(`${number}. [${title[2]}](`), `${page}: its title is not the one in the index`);
    const headings = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, ["Context", "Decision", "Consequences"], page);
  }
});

Deno.test("every cited number exists in the contract or the decisions", () => {
  const known = new Set(statements.map(({ number }) => number));
  const cited: string[] = [];
  for (const { path, text } of texts) {
    for (const [, first, last] of text.matchAll(/\bcontract (\d+\.\d+)(?: to (\d+\.\d+))?/g)) {
      cited.push(first!);
      for (const number of [first, last]) {
        assert.ok(number === undefined || known.has(number), `${path} cites contract ${number}`);
      }
    }
    for (const [, number] of text.matchAll(/\bdecision (\d+)\b/g)) {
      cited.push(number!);
      assert.ok(
        Number(number) >= 1 && Number(number) <= decisions.length,
        `${path} cites decision ${number}`,
      );
    }
  }
  assert.ok(cited.length > 100);
});

Deno.test("contract and decisions are cited by number alone, as `contract 5.8` and `decision 13`", () => {
  const wrong = texts.flatMap(({ path, text }) => {
    const sections = text.replace(/RFC \d+ \u00a7/g, "").includes("\u00a7")
      ? [`${path} has a section sign`]
      : [];
    const others = text.match(/\bcontract \d+(?!\d*\.\d)|\bdecisions \d+|\binterface[ ]document\b/g);
    return [...sections, ...others?.map((form) => `${path} says ${form}`) ?? []];
  });
  assert.deepEqual(wrong, []);
});

Deno.test("every test that a row about failures links exists under its name", () => {
  const links = [...read("docs/reliability.md").matchAll(/\]\(\.\.\/([^\s)]+_test\.ts) "([^"]+)"\)/g)];
  assert.ok(links.length >= 15, `${links.length} links`);
  for (const [, file, name] of links) assert.ok(read(file!).includes(name!), `${file} has no test “${name}”`);
});
