import assert from "node:assert/strict";
import { SettingsSchema } from "./schema.ts";

Deno.test("a URL that empties a page cache is http or https, and without a user and a password", () => {
  const isValid = (url: string) => SettingsSchema.safeParse({ general: { purgeUrls: [url] } }).success;
  const valid = [
    "https://shop.example/purge",
    "http://127.0.0.1:8080/purge",
    "https://shop.example/?rest_route=/purge",
  ];
  const invalid = [
    "file:///etc/passwd",
    "https://ann:secret@shop.example/purge",
    "https://secret@shop.example",
    "/purge",
  ];
  assert.deepEqual(valid.filter((url) => !isValid(url)), []);
  assert.deepEqual(invalid.filter(isValid), []);
});
