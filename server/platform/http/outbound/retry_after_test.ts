import assert from "node:assert/strict";
import { retryAfterMs } from "./retry_after.ts";

const NOW = Date.UTC(2025, 0, 1, 12);

Deno.test("Retry-After is parsed as seconds or a date, and limited to six hours", () => {
  const rows: [string | null, number | undefined][] = [
    [null, undefined],
    ["0", 0],
    ["7", 7_000],
    [" 7 ", 7_000],
    ["999999999999999", 21_600_000],
    ["Wed, 01 Jan 2025 12:00:30 GMT", 30_000],
    ["Wed, 01 Jan 2025 11:00:00 GMT", 0],
    ["Thu, 01 Jan 2026 00:00:00 GMT", 21_600_000],
    ["", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
  ];
  for (const [header, wait] of rows) assert.equal(retryAfterMs(header, NOW), wait, `${header}`);
});
