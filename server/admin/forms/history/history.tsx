import type { VNode } from "preact";
import { formOf, formQuery, formTitle } from "../../../settings/forms/all_forms.ts";
import {
  contentOf,
  draftedForm,
  draftedSettings,
  isSameContent,
  textsByLocale,
} from "../../../settings/forms/drafted_form.ts";
import { type DraftedId, type FormDraft, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import {
  type FormVersion,
  readVersion,
  restoredDraft,
  versionsOf,
} from "../../../settings/forms/form_history.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { knownLocales } from "../../../settings/forms/form_settings.ts";
import { definePage } from "../../frame/page.ts";
import type { View } from "../../frame/view.ts";
import { Card, Empty } from "../../parts/card.tsx";
import { Entries, Entry } from "../../parts/entry.tsx";
import { PostForm } from "../../parts/form.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { languageName } from "../../../platform/words/language_name.ts";
import { LivePreview } from "../../parts/preview.tsx";
import { Moment } from "../../parts/site_time.tsx";
import { Pager } from "../../parts/table.tsx";
import { formOfQuery } from "../actions/experiment_change.ts";
import { SeenDraft } from "../draft_state.tsx";
import { NoSuchForm, nounOf, ToForm } from "../form_frame.tsx";
import { Differences, withDraft } from "../drafts/draft.tsx";
import { draftDifferences, type ShownDifference } from "../drafts/draft_differences.ts";
import { languageOf } from "../languages.tsx";
import { matchOf } from "../experiment/experiment_remove.tsx";
import { formPath, historyPath } from "../../parts/form_path.ts";

const PAGE_SIZE = 20;

const idOf = ({ query }: View) => formOfQuery(query);
const titleOf = (view: View) => `History: ${nounOf(view, idOf(view))}`;

export const historyPage = definePage({
  path: "/form-history",
  title: "History",
  heading: titleOf,
  documentTitle: titleOf,
  lead: "What pages have shown of a form, and who has published it.",
  parent: "/forms",
  capability: "view",
  services: ["kv"],
  async render(view) {
    const id = idOf(view);
    const { kv } = view.app;
    if (!formOf(view.app.settings.current(), id.name)) {
      return <NoSuchForm view={view} />;
    }
    const chosen = view.query.get("version");
    const version = chosen === null ? undefined : await readVersion(kv, id, chosen);
    const draft = await readFormDraft(kv, id);
    return (
      <>
        <p class="back">
          <ToForm view={view} id={id} />
          {chosen !== null && (
            <>
              {" "}
              <a href={view.href(historyPath(id.name))}>All versions</a>
            </>
          )}
        </p>
        {chosen === null
          ? <Versions view={view} id={id} draft={draft} versions={await versionsOf(kv, id, pageOf(view))} />
          : version
          ? <Version view={view} id={id} draft={draft} version={version} />
          : <Notice kind="warn">This version is not kept any more.</Notice>}
      </>
    );
  },
});

/** One more than a page shows, to compare the last one with. */
const pageOf = ({ query }: View) => ({
  limit: PAGE_SIZE + 1,
  before: query.get("before") ?? undefined,
});

interface Shown {
  view: View;
  id: DraftedId;
  /** The form's unpublished changes. */
  draft: FormDraft | undefined;
}

function Versions({ versions, ...of }: Shown & { versions: readonly FormVersion[] }): VNode {
  const { view, id } = of;
  const shown = versions.slice(0, PAGE_SIZE);
  const isFirstPage = !view.query.has("before");
  const more = versions.length > PAGE_SIZE;
  return (
    <Card
      title="Published versions"
      lead="The last 50, and all of the last 90 days. Without status, schedule and experiment, which are not part of a version."
    >
      {shown.length === 0
        ? (
          <Empty title="No versions yet">
            Each version of {formTitle(view.app.settings.current(), id.name)}{" "}
            that is published from now on is listed here.
          </Empty>
        )
        : (
          <Entries label="Versions">
            {shown.map((version, index) => (
              <VersionEntry
                key={version.id}
                {...of}
                version={version}
                before={versions[index + 1]}
                isLatest={isFirstPage && index === 0}
              />
            ))}
          </Entries>
        )}
      <Pager
        first={isFirstPage ? undefined : view.href(historyPath(id.name))}
        next={more ? view.href(historyPath(id.name, { before: shown.at(-1)!.id })) : undefined}
      />
    </Card>
  );
}

function VersionEntry({ view, id, draft, version, before, isLatest }: Shown & {
  version: FormVersion;
  /** The version before it; undefined for the oldest that is kept. */
  before: FormVersion | undefined;
  isLatest: boolean;
}): VNode {
  const changes = before ? changesTo(view, id, before, version) : [];
  return (
    <Entry
      title={<Moment at={version.at} short />}
      note={before
        ? changes.map(({ title }) => title).join(", ") || "Nothing that is shown here"
        : "The oldest kept"}
      who={version.by ?? ""}
      badge={isLatest && isShown(view, id, version) && <Badge kind="good">Published</Badge>}
    >
      <p>
        Published <Moment at={version.at} />
        {version.by === undefined ? ", or earlier." : ` by ${version.by}.`}
      </p>
      {changes.length > 0 && (
        <Differences
          view={view}
          caption="What this version changed"
          differences={changes}
          titles={{ before: "Before", after: "In this version" }}
        />
      )}
      <div class="buttons">
        <a class="button" href={view.href(historyPath(id.name, { version: version.id }))}>Preview</a>
        <Restore view={view} id={id} draft={draft} version={version} />
      </div>
    </Entry>
  );
}

function Version({ view, id, draft, version }: Shown & { version: FormVersion }): VNode {
  const settings = view.app.settings.current();
  const restored = restoredDraft(settings, id, version.content);
  const drafted = draftedForm(settings, id, restored);
  const changes = drafted ? draftDifferences(settings, drafted) : [];
  const then = withDraft(view, id, restored);
  return (
    <>
      <Card
        title="Preview"
        lead={
          <>
            As pages showed it from <Moment at={version.at} />{" "}
            on{version.by && `, published by ${version.by}`}.
          </>
        }
      >
        <div class="whole-preview">
          <Language view={then} id={id} version={version} />
          <LivePreview view={then} form={id} version={version.id} locale={languageOf(then)} source="" />
        </div>
      </Card>
      <Card title="What restoring changes">
        {changes.length > 0
          ? (
            <Differences
              view={view}
              caption="What restoring changes"
              differences={changes}
              titles={{ before: "Published now", after: "In this version" }}
            />
          )
          : <p>Nothing: this is what is published.</p>}
        <div class="buttons">
          <Restore view={view} id={id} draft={draft} version={version} />
        </div>
      </Card>
    </>
  );
}

/** Chooses the language in which the preview shows a version: first those in which it has texts of its own. */
function Language({ view, id, version }: Omit<Shown, "draft"> & { version: FormVersion }): VNode {
  const settings = view.app.settings.current();
  const own = Object.keys(textsByLocale(settings.form, id));
  const others = knownLocales(settings).filter((locale) => !own.includes(locale));
  const optionsOf = (locales: readonly string[]) =>
    locales.map((locale) => ({ value: locale, label: languageName(locale) }))
      .sort((one, other) => one.label.localeCompare(other.label, "en"))
      .map(({ value, label }) => (
        <option key={value} value={value} selected={value === (languageOf(view) || "en")}>{label}</option>
      ));
  return (
    <form class="line" method="get" action={view.href("/form-history")}>
      {Object.entries({ ...formQuery(id.name), version: version.id }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label for="version-language">Language</label>
      <select id="version-language" name="locale">
        {own.length === 0 ? optionsOf(others) : (
          <>
            <optgroup label="With texts of its own">{optionsOf(own)}</optgroup>
            <optgroup label="All others">{optionsOf(others)}</optgroup>
          </>
        )}
      </select>
      <button type="submit">Show</button>
    </form>
  );
}

/** Makes a version the draft of its form, in place of the one that there is. */
function Restore(
  { view, id, version, draft }: {
    view: View;
    id: DraftedId;
    version: FormVersion;
    draft: FormDraft | undefined;
  },
): VNode | null {
  if (!view.mayRun("cfbe_restore_form_version")) return null;
  return (
    <PostForm
      view={view}
      action="cfbe_restore_form_version"
      match={{ ...matchOf(id), version: version.id }}
      id={`restore-${version.id}`}
      class="plain-form"
    >
      <SeenDraft view={view} draft={draft} />
      <button type="submit" data-replaces={view.href(formPath(id.name))}>
        {draft ? "Restore in place of the draft" : "Restore as draft"}
      </button>
    </PostForm>
  );
}

function isShown({ app }: View, id: DraftedId, { content }: FormVersion): boolean {
  return isSameContent(contentOf(app.settings.current(), id)!, content);
}

/** Returns what differs between two versions. */
function changesTo(
  { app: { settings } }: View,
  id: DraftedId,
  before: FormVersion,
  version: FormVersion,
): ShownDifference[] {
  const current = settings.current();
  const then = draftedSettings(current, id, restoredDraft(current, id, before.content), settings.providers);
  const drafted = draftedForm(then, id, restoredDraft(then, id, version.content));
  if (!drafted) return [];
  // A version has no schedule, also where the end of the form follows its countdown.
  const form = { ...drafted.form, schedule: (drafted.published as Layer)["schedule"] };
  return draftDifferences(then, { ...drafted, form });
}
