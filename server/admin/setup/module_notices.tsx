import { type IncompleteModule, incompleteModules } from "../../operations/alerts/incomplete_modules.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { incompleteText, pageToComplete } from "../../operations/alerts/incomplete_module_texts.ts";
import { Notice } from "../parts/notice.tsx";
import type { View } from "../frame/view.ts";

const MODULE_LABELS = {
  coupons: "Coupons",
  carts: "Abandoned cart emails",
  checkout: "Signup at checkout",
  orderEmails: "Order emails",
};

/** Warns that the settings have no effect while their module is off. */
export function ModuleNotice({ view, module }: { view: View; module: keyof typeof MODULE_LABELS }) {
  return view.app.settings.current().general.modules[module] ? null : (
    <Notice kind="warn">
      The module “{MODULE_LABELS[module]}” is off, so these settings have no effect. Turn it on in{" "}
      <a href={view.href("/general")}>General</a>.
    </Notice>
  );
}

/** Says what a module that is on still needs, on the pages of its settings. */
export function IncompleteNotice({ view, module }: { view: View; module: IncompleteModule["module"] }) {
  const { settings, shop } = view.app;
  const incomplete = incompleteModules(settings.current(), shop()).find((each) => each.module === module);
  if (!incomplete) return null;
  const tab = pageToComplete(incomplete);
  return (
    <Notice kind="warn">
      {incompleteText(incomplete)}{" "}
      {view.path !== `/${tab}` && <a href={view.href(`/${tab}`)}>Go to {TAB_TITLES[tab]}</a>}
    </Notice>
  );
}
