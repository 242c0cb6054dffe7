import type { VNode } from "preact";
import { formTitle, nameOutside } from "../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../settings/forms/form_drafts.ts";
import type { View } from "../frame/view.ts";
import { Card, Empty } from "../parts/card.tsx";
import { formPath } from "../parts/form_path.ts";

/** What a page about one form shows if there is no form of that name. */
export function NoSuchForm({ view }: { view: View }): VNode {
  return (
    <Card>
      <Empty title="There is no such form">
        It may have been removed. <a href={view.href("/forms")}>See all forms</a>
      </Empty>
    </Card>
  );
}

/** Returns what a heading calls a form, after what the page is about. */
export const nounOf = (view: View, { name }: DraftedId): string =>
  nameOutside(name) ? formTitle(view.app.settings.current(), name) : "popup";

/** Leads from a page about one form to the form's own page. */
export function ToForm({ view, id: { name } }: { view: View; id: DraftedId }): VNode {
  return (
    <a href={view.href(formPath(name))}>
      {nameOutside(name) ? `Form ${formTitle(view.app.settings.current(), name)}` : "Popup"}
    </a>
  );
}
