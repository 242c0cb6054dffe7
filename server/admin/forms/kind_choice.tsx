import type { VNode } from "preact";
import type { NewFormKind } from "./actions/new_form.ts";
import { useErrorSummary } from "../parts/error_summary.tsx";
import { inputId, useForm } from "../parts/form.tsx";

interface Kind {
  value: NewFormKind;
  title: string;
  help: string;
}

const PLACED: Kind[] = [
  { value: "inline", title: "Inline", help: "Within your content." },
  { value: "block", title: "Block", help: "A section across the whole page." },
  { value: "promo", title: "Promo bar", help: "A slim strip in the page, which visitors can close." },
];

const OPENING: Kind[] = [
  { value: "popup", title: "Popup", help: "A dialog over the page." },
  { value: "slide-in", title: "Slide-in", help: "A box in a lower corner. The page stays usable." },
  {
    value: "bar-top",
    title: "Bar at the top",
    help: "Over the top of the window, with room for little more than the email.",
  },
  {
    value: "bar-bottom",
    title: "Bar at the bottom",
    help: "Over the bottom of the window, with as little room.",
  },
];

/** The kinds of forms as radio buttons, each with a line about it. */
export function KindChoice({ path }: { path: string }): VNode {
  const form = useForm();
  const id = inputId(form, path);
  const error = form.error(path);
  const locked = form.lockedBy(path);
  useErrorSummary({ id, label: "Kind", message: error });
  const options = (kinds: Kind[]) =>
    kinds.map(({ value, title, help }) => (
      <label key={value}>
        <input
          type="radio"
          name={path}
          value={value}
          checked={form.value(path) === value}
          disabled={locked !== undefined}
          aria-describedby={`${id}-${value}`}
        />
        <span>{title}</span>
        <span class="help" id={`${id}-${value}`} aria-hidden="true">{help}</span>
      </label>
    ));
  return (
    <fieldset class="presets kinds" id={id} tabIndex={-1} aria-describedby={error && `${id}-error`}>
      <legend>Kind</legend>
      <p class="help">Where a page has it:</p>
      {options(PLACED)}
      <p class="help">
        Opens by itself, 20 seconds after the page has loaded. You can change when and where:
      </p>
      {options(OPENING)}
      {locked && <p class="fixed">Set by {locked}</p>}
      {error && <p class="error" id={`${id}-error`}>{error}</p>}
    </fieldset>
  );
}
