import { type ComponentChildren, createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Tab } from "../../settings/schema.ts";
import { withoutSecrets } from "../../settings/store.ts";
import { fixedWords } from "../fixed.ts";
import { at } from "../ajax_body.ts";
import type { View } from "../view.ts";

/** What the fields of a form are drawn from. */
export interface FormState {
  /** In front of every id, so that two forms of a page share none. */
  id: string;
  /** What to show: what was sent when it was not saved, else what there is. */
  value(path: string): unknown;
  /** What there is now, where what was sent differs because somebody else has saved meanwhile. */
  savedNow(path: string): unknown;
  /** What is wrong there; for a list, also inside of it. */
  error(path: string): string | undefined;
  /** What is wrong with it itself. */
  ownError(path: string): string | undefined;
  /** What fixes it, so that it can't be changed here. */
  fixedBy(path: string): string | undefined;
}

const FormContext = createContext<FormState | undefined>(undefined);

export function useForm(): FormState {
  const form = useContext(FormContext);
  if (!form) throw new Error("a field stands outside of a form");
  return form;
}

interface PostFormProps {
  view: View;
  /** Name in the table of actions. */
  action: string;
  /** What the fields show, by path, such as `{ fields: { … } }`. */
  current?: Record<string, unknown>;
  /** The tab whose settings `fields` are: those that are fixed elsewhere are locked, and no save is lost to another. */
  tab?: Tab;
  /** Tells this form from another with the same action on one page: what was sent is shown in the same one. */
  match?: Record<string, string>;
  class?: string;
  id?: string;
  children: ComponentChildren;
}

/** A form that runs an action of the table; every one carries its own nonce. Locked for who may not run it. */
export function PostForm(props: PostFormProps): VNode {
  const { view, action, current = {}, tab, match = {}, id = action.slice(5), children } = props;
  const posted = view.posted?.action === action &&
      Object.entries(match).every(([path, value]) => at(view.posted?.input, path) === value)
    ? view.posted
    : undefined;
  const conflict = posted?.answer?.code === "conflict";
  const errors = posted?.answer?.fields ?? {};
  // What is shown again was typed over what was there when the page was opened, and not over what is there now; only
  // who is shown both may save over that.
  const opened = conflict ? undefined : at(posted?.input, "version");
  const state: FormState = {
    id,
    value(path) {
      const sent = posted && at(posted.input, path);
      return sent === undefined ? at(current, path) : sent;
    },
    savedNow(path) {
      const sent = posted && at(posted.input, path);
      const there = at(current, path);
      if (!conflict || sent === undefined) return undefined;
      return JSON.stringify(sent ?? "") === JSON.stringify(there ?? "") ? undefined : there ?? "";
    },
    ownError: (path) => errors[path],
    error: (path) =>
      errors[path] ?? Object.entries(errors).find(([place]) => place.startsWith(`${path}.`))?.[1],
    fixedBy: (path) =>
      tab && path.startsWith("fields.") ? fixedWords(view.app, tab + path.slice(6)) : undefined,
  };
  return (
    <form class={props.class ?? "form"} method="post" action={view.href("/ajax")} id={id} data-form="">
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="_nonce" value={view.nonce(action)} />
      <input type="hidden" name="_page" value={view.path + view.search} />
      {tab && (
        <input
          type="hidden"
          name="version"
          value={String(opened ?? view.app.settings.stateOf(tab).version)}
        />
      )}
      {Object.entries(match).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <fieldset class="plain" disabled={!view.mayRun(action)}>
        <FormContext.Provider value={state}>{children}</FormContext.Provider>
      </fieldset>
    </form>
  );
}

/** A tab of the settings as a form, without its secrets: what they are is nobody's to read. */
export function SettingsForm(
  { view, tab, current, children }: {
    view: View;
    tab: Tab;
    /** What the fields show; the settings as they hold unless given. */
    current?: Record<string, unknown>;
    children: ComponentChildren;
  },
): VNode {
  const fields = withoutSecrets(
    tab,
    current ?? view.app.settings.current()[tab],
    view.app.settings.providers,
  );
  const action = `cfbe_save_${tab}`;
  return (
    <PostForm view={view} action={action} tab={tab} current={{ fields }} class="form settings">
      {children}
      {view.mayRun(action)
        ? <SaveBar view={view} />
        : <p class="help">You may look at these settings; changing them takes an admin.</p>}
    </PostForm>
  );
}

/** Stays in sight while the form is longer than the screen, and says when something in it is not saved. */
export function SaveBar({ view }: { view: View }): VNode {
  return (
    <div class="savebar">
      <button type="submit" class="primary">Save</button>
      <span class="help" role="status">
        <span data-unsaved hidden={view.posted === undefined}>Not saved yet</span>
      </span>
    </div>
  );
}
