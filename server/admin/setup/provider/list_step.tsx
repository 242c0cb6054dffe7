import { listOptions } from "../../parts/lists.ts";
import { capitalized } from "../../../platform/words/capitalized.ts";
import { docPage } from "../../../platform/words/doc_page.ts";
import { countedTo100 } from "../../../platform/words/counted.ts";
import { Fragment, type VNode } from "preact";
import { chosenLists, type LoadedLists } from "../../../operations/provider/lists.ts";
import { SelectField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Setting } from "../../parts/setting.tsx";
import { Table } from "../../parts/table.tsx";
import type { View } from "../../frame/view.ts";
import { countUpTo100 } from "./facts.ts";
import type { StepProps } from "./step_props.ts";
import { GeneralFields, OptInBadge } from "./steps.tsx";

export function ListStep(props: StepProps): VNode | Promise<VNode> {
  return props.facts.other === undefined ? <UsedLists {...props} /> : switchForm(props, props.facts.other);
}

/** The lists of the provider in use. */
function UsedLists({ view, current, facts: { lists, listsOf } }: StepProps): VNode {
  const { defaultList } = view.app.settings.current().general;
  const isEmpty = lists.length === 0;
  const loaded = view.done?.action === "cfbe_load_lists"
    ? view.done.data as LoadedLists & { kind: "loaded" }
    : undefined;
  return (
    <>
      <p>The list that signups are added to. A form can have a list of its own.</p>
      {loaded?.missing.map(({ id, where }) => (
        <Notice key={id} kind="warn">
          The list <code>{id}</code>, selected in {where.join(", ")}, does not exist at the provider.
        </Notice>
      ))}
      {listsOf === undefined && (!isEmpty || defaultList !== "") && (
        <>
          <GeneralFields view={view} current={current} id="provider-list">
            <Setting of="general.defaultList" options={listOptions(view, "None (signups are rejected)")} />
          </GeneralFields>
          <FormLists view={view} />
          <details>
            <summary>All lists</summary>
            <Table
              caption="Lists"
              rows={lists}
              keyOf={({ id }) => id}
              columns={[
                { title: "List", cell: ({ name }) => <strong>{name}</strong> },
                { title: "ID", cell: ({ id }) => <code>{id}</code> },
                {
                  title: "Double opt-in",
                  cell: ({ doubleOptIn }) => <OptInBadge doubleOptIn={doubleOptIn} />,
                },
              ]}
            />
          </details>
        </>
      )}
      <PostForm view={view} action="cfbe_load_lists" id="provider-lists">
        <div class="buttons">
          <button type="submit" class={isEmpty && current ? "primary" : undefined}>
            {isEmpty ? "Load lists" : "Reload lists"}
          </button>
        </div>
      </PostForm>
    </>
  );
}

/** Which forms have a list of their own. */
function FormLists({ view }: { view: View }): VNode {
  const { general, forms: { forms } } = view.app.settings.current();
  const nameOf = (id: string) => general.knownLists.find((list) => list.id === id)?.name ?? id;
  const own = forms.filter(({ list }) => list !== "" && list !== general.defaultList);
  return (
    <p class="help">
      {own.length === 0
        ? "All forms use the default list."
        : `Lists of their own: ${own.map(({ name, list }) => `${name} (${nameOf(list)})`).join(", ")}.`}{" "}
      Change the list of a form on the <a href={view.href("/forms")}>Forms</a> page.
    </p>
  );
}

/** Chooses the lists at a new provider, and switches to it with them. */
async function switchForm({ view, facts, current }: StepProps, old: string): Promise<VNode> {
  const { name, title, lists } = facts;
  const { settings } = view.app;
  const { defaultList } = settings.current().general;
  const others = [...chosenLists(settings.current())].filter(([id]) => id !== defaultList);
  const options = lists.map((list) => ({
    value: list.id,
    label: list.doubleOptIn === false ? `${list.name} (no double opt-in)` : list.name,
  }));
  if (lists.length === 0) {
    return (
      <div class="buttons">
        <a class="button" href={view.href(`/provider${view.search}#step-list`)}>Reload lists</a>
      </div>
    );
  }
  const first = options[0]!.value;
  const values = { defaultList: first, lists: others.map(([from]) => ({ from, to: first })) };
  return (
    <>
      <p>
        From the switch on, new signups go to {title}. Until then, they go to {old}.
      </p>
      <PostForm view={view} action="cfbe_use_provider" id="provider-switch" current={values}>
        <input type="hidden" name="provider" value={name} />
        <SelectField
          path="defaultList"
          label="Default list"
          options={options}
          help="Used by every form that has no list of its own."
        />
        {others.map(([from, where], index) => (
          <Fragment key={from}>
            <input type="hidden" name={`lists.${index}.from`} value={from} />
            <SelectField
              path={`lists.${index}.to`}
              label={`In place of ${from}`}
              options={options}
              help={`Now selected in ${where.join(", ")}.`}
            />
          </Fragment>
        ))}
        <Consequences old={old} {...await readOpen(view)} />
        <div class="buttons">
          <button type="submit" class={current ? "primary" : undefined}>Switch to {title}</button>
        </div>
      </PostForm>
    </>
  );
}

async function readOpen({ app: { kv } }: View<"kv">): Promise<{ pending: number; queued: number }> {
  const [pending, queued] = await Promise.all([countUpTo100(kv, "pending"), countUpTo100(kv, "queued")]);
  return { pending, queued };
}

/** Says what a switch means for those who signed up before it. */
function Consequences(
  { old, pending, queued }: { old: string; pending: number; queued: number },
): VNode {
  return (
    <Notice kind="plain">
      <p>
        <strong>Open signups:</strong> {countedTo100(queued, "signup waits", "signups wait")}{" "}
        for delivery, and {countedTo100(pending, "person has", "people have")}{" "}
        still to confirm. All of them stay with{" "}
        {old}: it gets the waiting signups, and cfbe finds the confirmations there for up to 30 days. Keep its
        settings until then.
      </p>
      <p>
        <strong>Confirmed subscribers</strong> stay at {old}. {capitalized(docPage("move"))}{" "}
        says how to move them without an email to anybody.
      </p>
    </Notice>
  );
}
