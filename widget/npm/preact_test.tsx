import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import "./preact.ts";

Deno.test("Preact's JSX accepts <cfbe-form> with its attributes, and rejects other types", () => {
  assert.equal(
    renderToString(<cfbe-form form="footer" success-url="/thanks" loading="lazy" class="wide" />),
    '<cfbe-form form="footer" success-url="/thanks" loading="lazy" class="wide"></cfbe-form>',
  );
  // @ts-expect-error attributes are strings
  assert.match(renderToString(<cfbe-form theme={7} />), /theme/);
});
