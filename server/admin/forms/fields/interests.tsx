import type { VNode } from "preact";
import { TextField } from "../../parts/field.tsx";
import { ListEditor } from "../../parts/list_editor.tsx";

/** The interests that a form offers. */
export function InterestList({ path }: { path: string }): VNode {
  return (
    <ListEditor
      path={path}
      legend="Interests"
      add="Add interest"
      empty="No interests yet."
      titleOf={(interest, index) => String(interest["label"] || `Interest ${index + 1}`)}
      row={(at) => (
        <>
          <TextField path={`${at}.label`} label="Label" required />
          <TextField path={`${at}.tag`} label="Tag" required autocomplete="off" spellcheck={false} />
        </>
      )}
    />
  );
}
