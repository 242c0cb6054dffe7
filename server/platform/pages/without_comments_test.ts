import assert from "node:assert/strict";
import { ASSETS } from "../../admin/frame/asset_files.ts";
import { withoutComments } from "./without_comments.ts";

Deno.test("a script loses comments on lines of their own, and nothing else", () => {
  const script = [
    "/** One line. */",
    'const site = "https://news.example/*"; // Stays.',
    "  /*",
    "   * Several lines, with `code`.",
    "   */",
    "  // One more.",
    "  go(site, /^[/]*$/);",
    "",
  ];
  assert.equal(
    withoutComments(script.join("\n")),
    'const site = "https://news.example/*"; // Stays.\ngo(site, /^[/]*$/);\n',
  );
});

Deno.test("no script of the admin has a template over several lines, which could contain what looks like a comment", () => {
  for (const { name } of Deno.readDirSync(ASSETS)) {
    if (!name.endsWith(".js")) continue;
    const code = withoutComments(Deno.readTextFileSync(new URL(name, ASSETS)));
    const open = code.split("\n").filter((line) => line.split("`").length % 2 === 0);
    assert.deepEqual(open, [], name);
  }
});
