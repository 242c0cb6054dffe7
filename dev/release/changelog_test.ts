import assert from "node:assert/strict";
import {
  findSection,
  type Fragment,
  readFragment,
  sectionOf,
  withAbsoluteLinks,
  withSection,
} from "./changelog.ts";

const fragment = (path: string, content = "cfbe does something.\n") => readFragment(path, content);

Deno.test("a fragment is read from its folder, its name and its paragraphs", () => {
  assert.deepEqual(fragment("forms/delay-of-popups.fixed.md", "A popup opens\n  by its delay.\n"), {
    area: "forms",
    name: "delay-of-popups",
    kind: "fixed",
    text: "A popup opens by its delay.",
  });
  const breaking = "Members are renamed.\n\nWhat to do: Change what\nreads them.\n";
  assert.equal(fragment("cli/names.breaking.md", breaking).whatToDo, "Change what reads them.");
});

Deno.test("a malformed fragment is refused with its path and what to do", () => {
  const wrong: [path: string, content: string, message: RegExp][] = [
    ["loose.fixed.md", "Text.", /changelog\.d\/loose\.fixed\.md: name the file AREA\/SHORT-NAME\.KIND\.md/],
    ["forms/Loud Name.fixed.md", "Text.", /name the file/],
    ["forms/name.md", "Text.", /name the file/],
    ["kitchen/name.fixed.md", "Text.", /the folder must be one of signups, forms/],
    ["forms/name.faster.md", "Text.", /the kind must be one of breaking, security/],
    ["forms/name.fixed.md", "", /write sentences/],
    ["forms/name.fixed.md", "- Text.", /write sentences/],
    ["forms/name.fixed.md", "# Text", /write sentences/],
    ["forms/name.fixed.md", "Text without an end", /write sentences/],
    ["forms/name.fixed.md", "One.\n\nTwo.", /write one paragraph/],
    ["forms/name.fixed.md", `${"Long. ".repeat(200)}`, /longer than 900/],
    ["forms/name.breaking.md", "Text.", /add one paragraph that starts with "What to do:"/],
    ["forms/name.breaking.md", "Text.\n\nDo something.", /starts with "What to do:"/],
    ["forms/name.breaking.md", "Text.\n\nWhat to do: This.\n\nMore.", /add one paragraph/],
  ];
  for (const [path, content, message] of wrong) assert.throws(() => fragment(path, content), { message });
});

const changes: Fragment[] = [
  { area: "admin", name: "b", kind: "fixed", text: "Second." },
  { area: "admin", name: "a", kind: "fixed", text: "First." },
  { area: "signups", name: "z", kind: "fixed", text: "Signups come first." },
  { area: "cli", name: "c", kind: "breaking", text: "Renamed.", whatToDo: "Change scripts." },
];

Deno.test("a section has breaking changes with what to do first, then kinds and areas in their order", () => {
  assert.equal(
    sectionOf("1.2.0", "2026-12-01", changes),
    `## 1.2.0 (2026-12-01)

### Breaking changes

**Command line, API and hooks**

- Renamed. _What to do:_ Change scripts.

### Fixed

**Signups and confirmation emails**

- Signups come first.

**Admin**

- First.
- Second.
`,
  );
});

Deno.test("a section goes above earlier ones, and is found by its version", () => {
  const first = withSection("# Changelog\n\nText.\n", "## 1.0.0 (2026-11-01)\n\n- One.\n");
  assert.equal(first, "# Changelog\n\nText.\n\n## 1.0.0 (2026-11-01)\n\n- One.\n");
  const second = withSection(first, "## 1.0.1 (2026-11-02)\n\n- Two.\n");
  assert.equal(
    second,
    "# Changelog\n\nText.\n\n## 1.0.1 (2026-11-02)\n\n- Two.\n\n## 1.0.0 (2026-11-01)\n\n- One.\n",
  );
  assert.equal(findSection(second, "1.0.1"), "## 1.0.1 (2026-11-02)\n\n- Two.\n\n");
  assert.equal(findSection(second, "1.0"), undefined);
});

Deno.test("links to files of the repository work in the notes of a release", () => {
  assert.equal(
    withAbsoluteLinks("[a](docs/a.md#b), [c](https://c.example/), [d](#d)", "https://git.example/x/blob/v1"),
    "[a](https://git.example/x/blob/v1/docs/a.md#b), [c](https://c.example/), [d](#d)",
  );
});
