import { type IncompleteModule, incompleteModules } from "../../operations/alerts/incomplete_modules.ts";
import { settingAt, type Settings } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { incompleteText, pageToComplete } from "../../operations/alerts/incomplete_module_texts.ts";
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

/** Says what a module that is on still needs, on the pages of its settings. */
export function IncompleteNotice({ view, module }: { view: View; module: IncompleteModule["module"] }) {
  const { settings, shop, provider } = view.app;
  const incomplete = incompleteModules(settings.current(), shop(), provider.capabilities)
    .find((each) => each.module === module);
  if (!incomplete) return null;
  const tab = pageToComplete(incomplete);
  return (
    <Notice kind="warn">
      {incompleteText(incomplete)}{" "}
      {view.path !== `/${tab}` && <a href={view.href(`/${tab}`)}>Go to {TAB_TITLES[tab]}</a>}
    </Notice>
  );
}
