import type { VNode } from "preact";
import type { OutdatedText } from "../../../forms/ready/outdated_texts.ts";
import { formQuery } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { CHECKED_TEXTS } from "../../../settings/schema/form_texts.ts";
import type { View } from "../../frame/view.ts";
import { PostForm } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";

const ACTION = "cfbe_confirm_translation";
const formIdOf = (name: string) => `keep-${name}`;

/** Says below a text that its original has changed since it was translated, and asks whether it still fits. */
export function TextToCheck(
  { view, name, outdated }: { view: View; name: string; outdated: readonly OutdatedText[] },
): VNode | null {
  if (!CHECKED_TEXTS.some((checked) => checked === name)) return null;
  const found = outdated.find((each) => each.name === name);
  return (
    <div class="follows" data-follows={`check-${name}`}>
      {found && (
        <Notice kind="warn">
          <p>
            {found.original
              ? <>The original has changed: “{found.original}”.</>
              : "The original was removed."} This text translates the one before.
          </p>
          {view.mayRun(ACTION) && (
            <div class="buttons">
              <button type="submit" form={formIdOf(name)}>Keep this text</button>
            </div>
          )}
        </Notice>
      )}
    </div>
  );
}

/** The forms of the buttons that keep such texts. The editor's own form can't contain them. */
export const KeepTexts = ({ view, id, locale, outdated }: {
  view: View;
  id: DraftedId;
  locale: string;
  outdated: readonly OutdatedText[];
}): VNode => (
  <div hidden data-follows="keep-texts">
    {outdated.map(({ name, original }) => (
      <PostForm
        key={name}
        view={view}
        action={ACTION}
        match={{ ...formQuery(id.name), locale, text: name, original }}
        id={formIdOf(name)}
      >
        <input type="hidden" name="b:draft" value="true" />
      </PostForm>
    ))}
  </div>
);
