import assert from "node:assert/strict";
import { type MeasuredRelease, processorIn, releasesAsMarkdown, withRelease } from "./releases.ts";

const machine = { cores: 2, processor: "Example 9000", deno: "2.9.6" };
const release = (version: string, figures: Record<string, number>): MeasuredRelease => ({
  version,
  day: "2026-12-01",
  machine,
  figures,
});

Deno.test("a release is measured once: measuring it again replaces its figures", () => {
  const first = withRelease([], release("1.0.0", { "start.firstAnswer": 200 }));
  const second = withRelease(first, release("1.1.0", {}));
  assert.deepEqual(second.map(({ version }) => version), ["1.0.0", "1.1.0"]);
  const again = withRelease(second, release("1.0.0", { "start.firstAnswer": 250 }));
  assert.deepEqual(again.map(({ figures }) => figures["start.firstAnswer"]), [250, undefined]);
});

Deno.test("the table of releases has the newest first, with date, machine and the figures that are known", () => {
  const lines = releasesAsMarkdown([
    release("1.0.0", { "start.firstAnswer": 200, "sizes.form": 13_100 }),
    release("1.1.0", { "start.firstAnswer": 180 }),
  ]).split("\n");
  const start = (version: string) => `| ${version} | 2026-12-01 | 2 cores, Example 9000, Deno 2.9.6 |`;
  assert.equal(lines[2], `${start("1.1.0")} – | – | – | – | – | – | 180 ms | – | – |`);
  assert.equal(lines[3], `${start("1.0.0")} – | – | – | – | – | – | 200 ms | – | 13.1 kB |`);
  assert.match(releasesAsMarkdown([]), /^No release/);
});

Deno.test("the model of the processor is read if the system tells it", () => {
  assert.equal(
    processorIn("processor : 0\nmodel name\t: Example 9000 @ 3 GHz \ncache"),
    "Example 9000 @ 3 GHz",
  );
  assert.equal(processorIn("processor : 0\n"), "unknown");
});
