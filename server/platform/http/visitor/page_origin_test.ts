import assert from "node:assert/strict";
import { isForeignOrigin, skipsPreflight } from "./page_origin.ts";

const origins = ["https://shop.example"];

Deno.test("a page is foreign unless its origin is allowed or cfbe's own", () => {
  const foreign = (
    origin: string | undefined,
    baseUrl = "https://news.example/signup",
    host = "news.example",
  ) => isForeignOrigin(new Headers({ host, ...(origin !== undefined && { origin }) }), { baseUrl, origins });
  assert.equal(foreign(undefined), false);
  for (const origin of ["https://shop.example", "https://news.example"]) {
    assert.equal(foreign(origin), false, origin);
  }
  for (
    const origin of [
      "https://evil.example",
      "http://shop.example",
      "https://shop.example.evil.example",
      "null",
      "",
      "x",
    ]
  ) assert.equal(foreign(origin), true, origin);
  assert.equal(
    foreign("https://evil.example", undefined, "evil.example"),
    true,
    "a stranger's domain that points to this server",
  );
  assert.equal(foreign("http://127.0.0.1:8000", "http://localhost:8000", "127.0.0.1:8000"), false);
  assert.equal(foreign("http://localhost:3000", "https://news.example"), true);
});

Deno.test("without allowed origins no page is foreign", () => {
  const headers = new Headers({ origin: "https://evil.example" });
  assert.equal(isForeignOrigin(headers, { baseUrl: "https://news.example", origins: [] }), false);
});

Deno.test("a page's request must be JSON, so that the browser sends a preflight; a server's may have any type", () => {
  const skips = (type: string | undefined, origin = "https://shop.example") =>
    skipsPreflight(
      new Headers({ ...(origin && { origin }), ...(type !== undefined && { "content-type": type }) }),
    );
  for (const type of ["application/json", "Application/JSON; charset=utf-8"]) {
    assert.equal(skips(type), false, type);
  }
  for (
    const type of [
      undefined,
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "text/plain;application/json",
    ]
  ) {
    assert.equal(skips(type), true, type);
    assert.equal(skips(type, ""), false, type);
  }
});
