import type { VNode } from "preact";

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
