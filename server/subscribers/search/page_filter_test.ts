import assert from "node:assert/strict";
import { matchesCampaign, matchesPath, pathProblem } from "./page_filter.ts";

Deno.test("a page is found by its path or the start of it, and a campaign in any letter case", () => {
  const page = { path: "/blog/Spring*", utm: { campaign: "Spring" } };
  for (const path of ["/blog/Spring**", "/blog/*", "/*"]) assert.ok(matchesPath(path, page), path);
  for (const path of ["/blog/spring", "/blog/", "/Blog/*"]) assert.ok(!matchesPath(path, page), path);
  assert.ok(matchesCampaign("sPRING", page) && !matchesCampaign("spr", page));
  assert.ok(!matchesPath("/*", undefined) && !matchesCampaign("spring", { path: "/" }));
});

Deno.test("a path that no page can have is reported", () => {
  assert.equal(pathProblem("/blog/*"), undefined);
  for (const path of ["blog", "https://example.com/", "*", "/\ud800", "/" + "x".repeat(300)]) {
    assert.match(pathProblem(path)!, /such as/, path);
  }
});
