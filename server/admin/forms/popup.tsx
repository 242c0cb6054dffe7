import type { VNode } from "preact";
import { POPUP } from "../../settings/forms/all_forms.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { definePage } from "../frame/page.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { formPath } from "../parts/form_path.ts";
import { Snippet } from "../parts/snippet.tsx";
import { Editor, EDITOR_SERVICES } from "./editor/editor.tsx";
import { OPENING_TITLES } from "./opens/opens.tsx";
import { scriptTag } from "./snippets.ts";

export const popupPage = definePage({
  path: "/popup",
  title: TAB_TITLES.popup,
  parent: "/forms",
  capability: "view",
  services: EDITOR_SERVICES,
  async render(view) {
    return await Editor({
      view,
      id: { name: POPUP },
      ways: <Ways view={view} />,
      below: <OtherOpenings view={view} />,
    });
  },
});

function Ways({ view }: { view: View }): VNode {
  return (
    <Card
      id="embed"
      title="Embed"
      lead="A dialog that appears once per visit, when nothing else is open, on pages that have the script. A page with an embedded form already has it."
    >
      <Snippet id="snippet-script" label="Script for every page with the popup">
        {scriptTag(view.app.config.baseUrl)}
      </Snippet>
      <Snippet
        id="snippet-open"
        label="Optional: your own button that opens the popup, even when “Show automatically” is off"
      >
        {'<button type="button" data-cfbe-open>Newsletter</button>'}
      </Snippet>
    </Card>
  );
}

/** Links to the other forms that open by themselves, which share the quiet period. */
function OtherOpenings({ view }: { view: View }): VNode {
  const others = view.app.settings.current().forms.forms.filter(({ opens }) => opens);
  return (
    <Card
      title="Other forms that open by themselves"
      lead="Slide-ins, bars and further popups have rules of their own, which are on their pages. Only one opens at a time."
    >
      {others.length === 0
        ? (
          <p>
            None yet. Open a <a href={view.href("/forms")}>form</a> and choose “Open by itself”.
          </p>
        )
        : (
          <ul>
            {others.map(({ name, opens }) => (
              <li key={name}>
                <a href={`${view.href(formPath(name))}#audience`}>{name}</a> ({OPENING_TITLES[opens!.kind]})
              </li>
            ))}
          </ul>
        )}
    </Card>
  );
}
