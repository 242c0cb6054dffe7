import { z } from "zod";
import { formTitle } from "../../../settings/forms/all_forms.ts";
import { readVersion, restoredDraft } from "../../../settings/forms/form_history.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { recentMomentText } from "../../frame/dates.ts";
import { Refusal } from "../../frame/refusal.ts";
import { formPath } from "../../parts/form_path.ts";
import { form, idOf } from "./experiment_change.ts";
import { saveFormDraft } from "./form_drafts.ts";

/** Makes a published version the draft of its form, in place of the one that there is. Pages change once it is published. */
const restoreVersion = defineAction({
  name: "cfbe_restore_form_version",
  title: "Restore version of a form",
  group: "settings",
  capability: "forms",
  input: z.object({ form, version: z.string().max(80), draftVersion: z.string().max(40).optional() }),
  async run(context, { form: name, version: versionId, draftVersion }) {
    const { app } = context;
    const id = idOf(name);
    const version = await readVersion(app.kv, id, versionId);
    if (!version) {
      const title = formTitle(app.settings.current(), id.name);
      throw new Refusal(404, "not_found", `This version of ${title} is not kept any more.`);
    }
    const content = () => restoredDraft(app.settings.current(), id, version.content);
    const done = await saveFormDraft(context, id, { content }, { draft: draftVersion });
    const from = recentMomentText(version.at, siteZone(app.settings.current()), app.clock.now());
    const message = `The version of ${from} was restored. ${done.message}`;
    return { ...done, message, to: formPath(id.name) };
  },
});

export const formVersionActions: Action[] = [restoreVersion];
