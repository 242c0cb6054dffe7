import assert from "node:assert/strict";
import { requestedWaitMs } from "./rate_limit.ts";

const NOW = Date.UTC(2025, 0, 1, 12);

Deno.test("the requested wait is Retry-After, or else the reset of an exhausted rate limit", () => {
  const rows: [Record<string, string>, number | undefined][] = [
    [{}, undefined],
    [{ "Retry-After": "7", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30" }, 7_000],
    [{ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30" }, 30_000],
    [{ "RateLimit-Remaining": "0", "RateLimit-Reset": "30" }, 30_000],
    [{ "x-sib-ratelimit-remaining": "0", "x-sib-ratelimit-reset": "600" }, 600_000],
    [{ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": `${NOW / 1000 + 45}` }, 45_000],
    [{ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": `${NOW / 1000 - 45}` }, 0],
    [{ "X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "30" }, undefined],
    [{ "X-RateLimit-Remaining": "0" }, undefined],
    [{ "X-RateLimit-Reset": "30" }, undefined],
    [{ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon" }, undefined],
    [{ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-30" }, undefined],
    [{ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9000000" }, 21_600_000],
    [{ "RateLimit": `"default";r=0;t=30` }, 30_000],
    [{ "RateLimit": "limit=100, remaining=0, reset=50" }, 50_000],
    [{ "RateLimit": `"default";r=5;t=30` }, undefined],
  ];
  for (const [headers, wait] of rows) {
    assert.equal(requestedWaitMs(new Headers(headers), NOW), wait, JSON.stringify(headers));
  }
});
