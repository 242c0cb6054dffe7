import { type ComponentChildren, createContext, toChildArray, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Tab } from "../../settings/schema/schema.ts";
import { withoutSecrets } from "../../settings/store/tab_secrets.ts";
import { lockedBy } from "../frame/setting_lock.ts";
import { formCapability } from "../auth/form_capabilities.ts";
import { ACTION_PARAMETERS } from "../frame/action_parameters.ts";
import { at, type Posted } from "../frame/ajax_body.ts";
import type { View } from "../frame/view.ts";

/** The values and errors that a form's fields show. */
export interface FormState {
  /** Prefix of every ID, unique on the page. */
  id: string;
  /** The value to show: the submitted one if it was not saved, otherwise the current one. */
  value(path: string): unknown;
  /** The current value, if someone else has saved a different one since the page was opened. */
  savedNow(path: string): unknown;
  /** The error at this path, or below it. */
  error(path: string): string | undefined;
  /** The error at exactly this path. */
  ownError(path: string): string | undefined;
  /** What sets the value outside of the admin, so that it is locked here. */
  lockedBy(path: string): string | undefined;
  /** Whether the user may not run the form's action. */
  readOnly: boolean;
  /** Whether the form was sent and not saved, so that it shows unsaved changes. */
  isSent: boolean;
  /** What a button of the form has just changed in place of saving. */
  edit: Posted["edit"] | undefined;
}

/** Provides the state to the fields below it. */
export const FormContext = createContext<FormState | undefined>(undefined);

/** Returns whether a button of the form has just made the value at a path the form's own. */
export const becameOwn = ({ edit }: FormState, path: string): boolean =>
  edit?.kind === "own" && edit.path === path;

/** Returns whether a button of the form has just put a value into the field at a path. */
export const wasFilled = ({ edit }: FormState, path: string): boolean =>
  edit?.kind === "fill" && edit.path.startsWith(`${path}=`);

/** Returns the ID of the input for a path, unique on the page. */
export const inputId = ({ id }: FormState, path: string): string =>
  `${id}-${path.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`;

export function useForm(): FormState {
  const form = useContext(FormContext);
  if (!form) throw new Error("A field must be inside a form");
  return form;
}

interface PostFormProps {
  view: View;
  /** Name of the action. */
  action: string;
  /** Current values of the fields, such as `{ fields: { … } }`. */
  current?: Record<string, unknown>;
  /** The settings tab that `fields` belongs to. Locks settings that are set elsewhere, and detects concurrent saves. */
  tab?: Tab;
  /** Version of what the form edits, if that is not the whole tab. */
  version?: string;
  /** Path of the setting that all fields are part of, such as `forms`; by default, each field is a setting of the tab. */
  partOf?: string;
  /** Input that identifies this form among those with the same action on the page. */
  match?: Record<string, string>;
  /** Whether the form has files. */
  upload?: boolean;
  class?: string;
  id?: string;
  children: ComponentChildren;
}

/**
 * A form that runs an action, with its own nonce. Users who may not run the action see the values without buttons, and
 * nothing of a form that has only buttons.
 */
export function PostForm(props: PostFormProps): VNode | null {
  const { view, action, current = {}, tab, partOf, match = {}, id = action.slice(5) } = props;
  const version = props.version ?? (tab && view.app.settings.stateOf(tab).version);
  const children = view.mayRun(action) ? props.children : withoutButtons(props.children);
  if (children === undefined) return null;
  const posted = view.posted?.action === action &&
      Object.entries(match).every(([path, value]) => at(view.posted?.input, path) === value)
    ? view.posted
    : undefined;
  const conflict = posted?.failure?.code === "conflict";
  const errors = posted?.failure?.fields ?? {};
  // Submitted values are based on the version that was loaded with the page. Only a page that shows both versions may
  // save over the current one.
  const loadedVersion = conflict ? undefined : at(posted?.input, "version");
  const state: FormState = {
    id,
    value(path) {
      const sent = posted && at(posted.input, path);
      return sent === undefined ? at(current, path) : sent;
    },
    savedNow(path) {
      const sent = posted && at(posted.input, path);
      const now = at(current, path);
      if (!conflict || sent === undefined) return undefined;
      return JSON.stringify(sent ?? "") === JSON.stringify(now ?? "") ? undefined : now ?? "";
    },
    ownError: (path) => errors[path],
    error: (path) =>
      errors[path] ?? Object.entries(errors).find(([place]) => place.startsWith(`${path}.`))?.[1],
    lockedBy(path) {
      if (!tab) return undefined;
      if (partOf) return lockedBy(view.app, `${tab}.${partOf}`);
      if (!path.startsWith("fields.")) return undefined;
      const capability = formCapability(tab, path.split(".")[1]!);
      if (capability && view.mayRun(action) && !view.may(capability)) return "an admin";
      return lockedBy(view.app, tab + path.slice(6));
    },
    readOnly: !view.mayRun(action),
    isSent: posted !== undefined && posted.checked?.unsaved !== false,
    edit: posted?.edit,
  };
  return (
    <form
      class={props.class ?? "form"}
      method="post"
      action={actionUrl(view, action, props.upload ? "/upload" : "/ajax")}
      enctype={props.upload ? "multipart/form-data" : undefined}
      id={id}
      data-form=""
    >
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="_page" value={view.path + view.search} />
      {version !== undefined && (
        <input type="hidden" name="version" value={String(loadedVersion ?? version)} />
      )}
      {Object.entries(match).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <fieldset class="plain" disabled={state.readOnly}>
        <FormContext.Provider value={state}>{children}</FormContext.Provider>
      </fieldset>
    </form>
  );
}

/** Returns where a form is sent. Its action and nonce are in the URL, so that they are checked before the body is read. */
function actionUrl(view: View, action: string, path: string): string {
  const query = new URLSearchParams({
    [ACTION_PARAMETERS.action]: action,
    [ACTION_PARAMETERS.nonce]: view.nonce(action),
    ...(!view.mayRun(action) && { [ACTION_PARAMETERS.checkOnly]: "1" }),
  });
  return view.href(`${path}?${query}`);
}

/** Returns a form's content without its buttons; undefined if nothing that people see is left. */
function withoutButtons(children: ComponentChildren): ComponentChildren | undefined {
  const left = toChildArray(children).filter((child) =>
    typeof child !== "object" || !(child.type === "button" || propsOf(child)["class"] === "buttons")
  );
  const isSeen = left.some((child) => typeof child !== "object" || propsOf(child)["type"] !== "hidden");
  return isSeen ? left : undefined;
}

const propsOf = ({ props }: VNode) => props as Record<string, unknown>;

/** A form for a settings tab. It never contains secrets. */
export function SettingsForm(
  { view, tab, current, children }: {
    view: View;
    tab: Tab;
    /** Values to show; by default, the current settings. */
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
      {view.mayRun(action) && <SaveBar />}
    </PostForm>
  );
}

/** The Save button, which stays visible while the form scrolls, with a note about unsaved changes. */
export function SaveBar(
  { label = "Save changes", children }: { label?: string; children?: ComponentChildren },
): VNode {
  const { isSent } = useForm();
  return (
    <div class="savebar">
      <button type="submit" class="primary">{label}</button>
      {children}
      <span class="help" role="status">
        <span data-unsaved hidden={!isSent}>Unsaved changes</span>
      </span>
    </div>
  );
}
