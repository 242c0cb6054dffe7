import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import "./preact.ts";

Deno.test("Preact's JSX knows the element and its attributes, and no others", () => {
  assert.equal(
    renderToString(<cfbe-form form="footer" success-url="/thanks" loading="lazy" class="wide" />),
    '<cfbe-form form="footer" success-url="/thanks" loading="lazy" class="wide"></cfbe-form>',
  );
  // @ts-expect-error an attribute is text
  assert.match(renderToString(<cfbe-form theme={7} />), /theme/);
});
