import type { VNode } from "preact";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import type { View } from "../../frame/view.ts";
import { useForm } from "../../parts/form.tsx";
import { hasOwn } from "../../parts/own_value.tsx";
import { Members } from "../fields/members.tsx";
import { STEPS } from "../form_steps.ts";

interface Props {
  view: View;
  id: DraftedId;
}

/** What opens a form, whom it is meant for, and what keeps it away: only what its kind has. */
export function Audience({ view, id }: Props): VNode {
  const form = useForm();
  if (id.name === POPUP) {
    return (
      <div class="opening">
        <p class="help">
          It waits for cookie banners and other dialogs, and never opens on cart, checkout and account pages:
          those with “cart”, “basket”, “checkout” or “account” as a part of their path. If yours are called
          otherwise, such as /warenkorb, exclude them below.
        </p>
        <div>
          <h3>Trigger</h3>
          <p class="help">The popup opens on whichever happens first, or immediately if none is set.</p>
        </div>
        <Members view={view} id={id} section="trigger" />
        <h3>Who it opens for</h3>
        <Members view={view} id={id} section="targeting" />
        <h3>Exclusions</h3>
        <Members view={view} id={id} section="exclusions" />
        <p>
          <a href="#why">Why isn't it showing?</a>
        </p>
      </div>
    );
  }
  const opens = hasOwn(form, "fields.opens");
  return (
    <>
      <p class="help">
        To show it only between two dates, set its <a href="#status">schedule</a> in “{STEPS.publish}”.
      </p>
      {opens && (
        <p class="help">
          The rules of the <a href={view.href("/popup")}>popup</a>{" "}
          apply as well: once per visit, never on cart, checkout and account pages, only one form at a time,
          and its quiet period.
        </p>
      )}
      <Members view={view} id={id} section="opens" />
      {opens ? <InPageToo view={view} id={id} /> : (
        <>
          <div>
            <h3>Who it shows to</h3>
            <p class="help">For everyone else, it is not shown and leaves no space.</p>
          </div>
          <Members view={view} id={id} section="targeting" />
        </>
      )}
    </>
  );
}

/** The same question again, for the few forms that open by themselves and are part of a page as well. */
function InPageToo({ view, id }: Props): VNode {
  const groups = useForm().value("fields.targeting");
  const isUsed = Array.isArray(groups) && groups.length > 0;
  return (
    <details open={isUsed}>
      <summary>If a page has the form in its content, too</summary>
      <p class="help">
        There, it does not open, but is part of the page, and the rules above don't apply. These groups choose
        who sees it there.
      </p>
      <Members view={view} id={id} section="targeting" />
    </details>
  );
}
