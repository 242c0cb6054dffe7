import type { VNode } from "preact";
import { suggestedTag } from "../../frame/assets/suggested_name.js";
import { TextField } from "../../parts/field.tsx";
import { useForm } from "../../parts/form.tsx";
import { ListEditor } from "../../parts/list_editor.tsx";

/** The interests that a form offers. */
export function InterestList({ path }: { path: string }): VNode {
  return (
    <ListEditor
      path={path}
      legend="Interests"
      add={{ label: "Add interest", values: { label: "New interest" } }}
      empty="No interests yet."
      titleOf={(interest, index) => String(interest["label"] || `Interest ${index + 1}`)}
      row={(at) => <InterestRow list={path} at={at} />}
    />
  );
}

function InterestRow({ list, at }: { list: string; at: string }): VNode {
  const form = useForm();
  const rows = form.value(list) as Record<string, unknown>[];
  return (
    <>
      <TextField path={`${at}.label`} label="Label" required />
      <TextField
        path={`${at}.tag`}
        label="Tag"
        required
        autocomplete="off"
        spellcheck={false}
        namedAfter={`${at}.label`}
        suggested={suggestedTag(
          String(form.value(`${at}.label`) ?? ""),
          rows.flatMap(({ tag }) => tag ? [String(tag)] : []),
        )}
        help="Your provider gets it with each signup that chooses the interest."
      />
    </>
  );
}
