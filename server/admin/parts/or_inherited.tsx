import type { ComponentChildren, VNode } from "preact";
import { useForm } from "./form.tsx";

/** A text that is inherited while its field is empty, with a button that empties it. Its placeholder is what it inherits. */
export function OrInherited({ label, children }: { label: string; children: ComponentChildren }): VNode {
  const { readOnly } = useForm();
  return (
    <div class="own-value" data-or-inherited="">
      {children}
      <div class="own-or-default">
        <span class="help">As shown in gray</span>
        {!readOnly && (
          <button type="button" class="quiet" data-inherit="" data-needs-script="" hidden>
            Use the default <span class="hidden">({label})</span>
          </button>
        )}
      </div>
    </div>
  );
}
