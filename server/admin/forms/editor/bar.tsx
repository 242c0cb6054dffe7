import type { VNode } from "preact";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import type { View } from "../../frame/view.ts";
import { Icon } from "../../parts/icons.tsx";
import { Moment } from "../../parts/site_time.tsx";
import { HistoryLink } from "../history/history_link.tsx";
import { type Step, STEPS } from "../form_steps.ts";

/** The panel that a step begins with, for those who have no JavaScript. */
const FIRST_OF: Record<Step, string> = { design: "preview", audience: "audience", publish: "status" };

/** The steps, what can be taken back, what is saved, and the buttons that save and publish. */
export function EditorBar({ view, id, saved, source, maySave, publishes, steps }: {
  view: View;
  id: DraftedId;
  /** When the draft was saved, in Unix milliseconds. */
  saved: number | undefined;
  /** ID of the form that the buttons submit. */
  source: string;
  maySave: boolean;
  /** Whether what is saved can be published here. */
  publishes: boolean;
  /** URL of the page with the other steps: empty on that page. */
  steps: string;
}): VNode {
  return (
    <div class="editor-bar">
      <p class="back">
        <a href={view.href("/forms")}>All forms</a>
      </p>
      <nav class="editor-steps" aria-label="Steps">
        {(Object.entries(STEPS) as [Step, string][]).map(([step, title]) => (
          <a
            key={step}
            href={`${step === "design" ? "" : steps}#${FIRST_OF[step]}`}
            data-go={steps === "" ? step : undefined}
            aria-current={step === "design" ? "step" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="editor-tools">
        {maySave && (
          <>
            <button type="button" class="quiet" id="undo" data-undo="" data-needs-script="" hidden disabled>
              <Icon name="undo" /> <span>Undo</span>
            </button>
            <button type="button" class="quiet" id="redo" data-redo="" data-needs-script="" hidden disabled>
              <Icon name="redo" /> <span>Redo</span>
            </button>
          </>
        )}
        <HistoryLink view={view} id={id} />
        <p class="saved-state" role="status" data-saved="" data-zone={siteZone(view.app.settings.current())}>
          {saved !== undefined && (
            <>
              Saved <Moment at={saved} recent />
            </>
          )}
        </p>
        {maySave && (
          <>
            <button type="submit" form={source} name="b:draft" value="true" data-save-draft="">
              {publishes ? "Save draft" : "Save variant"}
            </button>
            {publishes && (
              <button type="submit" form={source} class="primary" data-publish="" id="publish">
                Publish
              </button>
            )}
          </>
        )}
      </div>
    </div>
  );
}
