import assert from "node:assert/strict";
import { FIELD_KIND_NAMES, type FormField } from "../../../shared/fields/kinds.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { ownFieldMarkup } from "./field_markup.ts";
import { snippetsFor } from "./snippets.ts";

const options = [{ value: "s&m", label: "Small <3" }, { value: "l", label: "Large" }];

Deno.test("own markup has every visible kind of field under the name that the server reads, with its texts escaped", () => {
  for (const kind of FIELD_KIND_NAMES) {
    const field: FormField = { name: "it", kind, label: '"It" <b>', required: true, options };
    const markup = ownFieldMarkup(field).join("\n");
    if (kind === "hidden") {
      assert.equal(markup, "");
      continue;
    }
    assert.match(markup, /name="fields\[it\]"/, kind);
    assert.doesNotMatch(markup, /<b>|"It"|<3/, kind);
    // HTML has no way to require one of several checkboxes.
    if (kind !== "multiSelect") assert.match(markup, / required/, kind);
  }
});

Deno.test("the own-markup snippet of a form has the fields that the form requires", async () => {
  const fields = [{ name: "company", kind: "text", label: "Company", required: true }];
  await using program = await startProgram({
    run: false,
    file: { settings: { forms: { forms: [{ name: "b2b", fields }] } } as never },
  });
  const settings = program.services.settings.current();
  const { own } = snippetsFor("https://news.example", settings.forms.forms[0]!, settings, ["en"], 0);
  assert.match(own, /<label>Company <input name="fields\[company\]" required><\/label>/);
});

Deno.test("own markup groups the choices of an interest under their question, and limits a text as the form does", async () => {
  const fields = [{ name: "company", kind: "text", label: "Company", min: 2, max: 40 }];
  await using program = await startProgram({
    run: false,
    file: {
      settings: {
        form: { interests: [{ tag: "tea", label: "Tea" }] },
        forms: { forms: [{ name: "b2b", fields }] },
      } as never,
    },
  });
  const settings = program.services.settings.current();
  const { own } = snippetsFor("https://news.example", settings.forms.forms[0]!, settings, ["en"], 0);
  assert.match(
    own,
    /<fieldset>\n {4}<legend>[^<]+<\/legend>\n {4}<label><input name="interests" type="checkbox" value="tea"> Tea</,
  );
  assert.match(own, /<input name="fields\[company\]" maxlength="40">/);
});
