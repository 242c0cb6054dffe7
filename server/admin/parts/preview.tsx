import type { VNode } from "preact";
import type { FormId } from "../../settings/form_settings.ts";
import type { View } from "../view.ts";

/** A form in the real widget. With JavaScript, it shows unsaved changes at once. */
export function Preview(
  { view, form: { name, popup }, locale = "", source }: {
    view: View;
    form: FormId;
    /** Language to show; "" for English. */
    locale?: string;
    /** ID of the form on the page whose unsaved changes the preview shows. */
    source?: string;
  },
): VNode {
  const query = new URLSearchParams({
    ...(popup ? { popup: "" } : name !== undefined && { form: name }),
    ...(locale && { locale }),
  }).toString();
  return (
    <>
      <iframe
        class={popup ? "preview tall" : "preview"}
        title={popup
          ? "Preview of the popup"
          : name === undefined
          ? "Preview"
          : `Preview of the form ${name}`}
        src={view.href(`/preview${query && `?${query}`}`)}
        data-preview={source}
      />
      <p class="help">
        Colors, font and corners are set in your page's CSS, for example with{" "}
        <code>--cfbe-accent</code>. All options are in <code>docs/style.md</code>.
      </p>
    </>
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
