import type { VNode } from "preact";
import type { View } from "../view.ts";

/** The saved form in the real widget. With JavaScript, it shows unsaved texts at once. */
export function Preview({ view, form, popup }: { view: View; form?: string; popup?: boolean }): VNode {
  const query = new URLSearchParams(popup ? { popup: "" } : { form: form ?? "" });
  return (
    <iframe
      class={popup ? "preview tall" : "preview"}
      title={popup ? "Preview of the popup" : `Preview of the form ${form}`}
      src={view.href(`/preview?${query}`)}
      data-preview={form ?? ""}
    />
  );
}

/** A snippet, with a copy button where JavaScript runs. */
export function Snippet({ id, label, children }: { id: string; label: string; children: string }): VNode {
  return (
    <figure class="snippet">
      <figcaption>
        <span>{label}</span>
        <button type="button" class="quiet" data-copy={id} hidden>
          <span data-copied aria-live="polite">Copy</span>
          <span class="hidden">{label}</span>
        </button>
      </figcaption>
      <pre id={id} tabIndex={0}>{children}</pre>
    </figure>
  );
}
