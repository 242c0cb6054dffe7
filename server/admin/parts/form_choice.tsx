import type { VNode } from "preact";
import type { View } from "../frame/view.ts";
import { sourceTitle } from "./source_titles.ts";

/** Links to the figures of all forms and of each form. */
export function FormChoice(
  { view, forms, form, href }: {
    view: View;
    forms: readonly string[];
    /** The selected form; undefined for all. */
    form: string | undefined;
    /** Returns the URL for a form, or for all. */
    href(form: string | undefined): string;
  },
): VNode {
  const choices = [undefined, ...new Set([...forms, ...(form ? [form] : [])])];
  return (
    <nav aria-label="Form">
      <ul class="choices">
        {choices.map((each) => (
          <li key={each ?? ""}>
            <a href={href(each)} aria-current={each === form ? "true" : undefined}>
              {each === undefined ? "All forms" : sourceTitle(view.app.settings.current(), each)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
