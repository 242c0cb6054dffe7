import type { VNode } from "preact";
import { Icon } from "./icons.tsx";

/** A text that is there to be taken along, with a button that does it where a script runs. */
export function Copyable({ label, text, id = label.toLowerCase().replaceAll(" ", "-") }: {
  label: string;
  text: string;
  id?: string;
}): VNode {
  return (
    <figure class="copyable">
      <figcaption>{label}</figcaption>
      <pre id={id} tabIndex={0}>{text}</pre>
      <button type="button" class="quiet" data-copy={id} hidden>
        <Icon name="copy" /> <span data-copied>Copy</span>
      </button>
    </figure>
  );
}
