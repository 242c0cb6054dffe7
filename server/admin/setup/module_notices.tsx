import { problemsOn } from "../../operations/checks/registry.ts";
import { settingsValues } from "../../operations/checks/values.ts";
import { settingAt, type Settings } from "../../settings/schema/schema.ts";
import { Notice } from "../parts/notice.tsx";
import type { View } from "../frame/view.ts";

type Module = keyof Settings["general"]["modules"];

/** Warns that the settings have no effect while their module is off. */
export function ModuleNotice({ view, module }: { view: View; module: Module }) {
  return view.app.settings.current().general.modules[module] ? null : (
    <Notice kind="warn">
      The module “{settingAt(`general.modules.${module}`).about.label}” is off, so these settings have no
      effect. Turn it on in <a href={view.href("/general")}>General</a>.
    </Notice>
  );
}

/** Shows the problems that belong to this page. */
export function PageProblems({ view }: { view: View<"provider" | "shop"> }) {
  return problemsOn(view.path, settingsValues(view.app)).map(({ id, what, link }) => (
    <Notice key={id} kind="warn">
      {what} {link && view.path !== link.to && <a href={view.href(link.to)}>{link.label}</a>}
    </Notice>
  ));
}
