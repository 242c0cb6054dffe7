import type { VNode } from "preact";
import { Card } from "../../parts/card.tsx";
import { AFTER_SIGNUP_TEXTS, AfterSignup, OTHER_OWN_TEXTS } from "../after_signup.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { View } from "../../frame/view.ts";
import type { FormId } from "../../../settings/forms/form_settings.ts";
import { consentDifference } from "./consent_difference.ts";
import { Members, OwnTexts } from "./members.tsx";
import { OtherTexts } from "./text_fields.tsx";

/** The texts, fields and consent of a form: its own values, or the defaults. */
export function OwnValues({ view, id }: { view: View; id: FormId }): VNode {
  const difference = consentDifference(view.app.settings.current(), id);
  return (
    <>
      <Card
        id="content"
        title="Content"
        lead={
          <>
            Gray values come from the{" "}
            <a href={view.href("/form-defaults")}>form defaults</a>, and change with them.
          </>
        }
      >
        <Members view={view} id={id} section="content" />
        <OtherTexts at="fields.texts" names={OTHER_OWN_TEXTS}>
          <OwnTexts view={view} id={id} names={OTHER_OWN_TEXTS} />
        </OtherTexts>
      </Card>
      <Card id="fields" title="Fields">
        <Members view={view} id={id} section="fields" />
      </Card>
      <Card id="consent" title="Consent" lead="The exact wording shown is stored with every signup as proof.">
        {difference && <Notice kind="warn">{difference}</Notice>}
        <Members view={view} id={id} section="consent" />
      </Card>
      <AfterSignup view={view}>
        <OwnTexts view={view} id={id} names={AFTER_SIGNUP_TEXTS} />
        <Members view={view} id={id} section="after-signup" />
      </AfterSignup>
      <Card title="Sources">
        <Members view={view} id={id} section="sources" />
        <p class="help">
          The <a href={view.href("/form-defaults")}>form defaults</a> say whether the provider gets it, too.
        </p>
      </Card>
    </>
  );
}
