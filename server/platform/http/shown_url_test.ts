import assert from "node:assert/strict";
import { shownUrl } from "./shown_url.ts";

Deno.test("a URL is shown without user, password, query and fragment, and any other text as it is", () => {
  const table: Record<string, string> = {
    "https://lists.example/sub": "https://lists.example/sub",
    "https://ann:secret@lists.example/sub": "https://…@lists.example/sub",
    "https://secret@lists.example": "https://…@lists.example/",
    "https://lists.example/hook?key=secret#secret": "https://lists.example/hook?…",
    "//ann:secret@lists.example": "…",
    "": "",
    "lists.example": "lists.example",
  };
  for (const [text, shown] of Object.entries(table)) assert.equal(shownUrl(text), shown, text);
});
