import assert from "node:assert/strict";
import { readReport } from "./junit.ts";

Deno.test("a report has each test with its file, time and result, and steps count as part of their test", () => {
  const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="5" failures="3" errors="0" time="0.014">
    <testsuite name="./server/a_test.ts" tests="3" disabled="0" errors="0" failures="2">
        <testcase name="a &lt;b&gt; &amp; &quot;c&quot; &gt; d" classname="./server/a_test.ts" time="0.001" line="1" col="6">
        </testcase>
        <testcase name="steps" classname="./server/a_test.ts" time="1.250" line="4" col="6">
            <failure message="1 test step failed">1 test step failed.</failure>
        </testcase>
        <testcase name="steps &gt; bad" classname="./server/a_test.ts" time="0.000" line="4" col="72">
            <failure message="Uncaught 1">1</failure>
        </testcase>
    </testsuite>
    <testsuite name="./server/b_test.ts" tests="1" disabled="1" errors="0" failures="0">
        <testcase name="ignored" classname="./server/b_test.ts" time="0.000" line="3" col="6">
            <skipped/>
        </testcase>
    </testsuite>
</testsuites>`;
  const passed = { failed: false, ignored: false };
  assert.deepEqual(readReport(report), [
    { file: "server/a_test.ts", name: 'a <b> & "c" > d', ms: 1, ...passed },
    { file: "server/a_test.ts", name: "steps", ms: 1250, ...passed, failed: true },
    { file: "server/b_test.ts", name: "ignored", ms: 0, ...passed, ignored: true },
  ]);
});
