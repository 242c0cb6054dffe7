import type { ComponentChildren, VNode } from "preact";

/** A value to copy: a field to select it in, with a copy button where JavaScript runs. */
export function CopyField(
  { id, label, help, value }: { id: string; label: string; help: ComponentChildren; value: string },
): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="line">
        <input id={id} value={value} readOnly aria-describedby={`${id}-help`} />
        <button type="button" data-copy={id} hidden>
          <span data-copied aria-live="polite">Copy</span>
          <span class="hidden">{label}</span>
        </button>
      </div>
      <p class="help" id={`${id}-help`}>{help}</p>
    </div>
  );
}
