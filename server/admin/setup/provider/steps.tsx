import type { ComponentChildren, VNode } from "preact";
import { OPT_IN_PLACES } from "../../../operations/checks/lists.ts";
import type { TestedConnection } from "../../../operations/doctor/doctor.ts";
import { limitationsOf } from "../../../providers/port/limitations.ts";
import type { ProviderModule } from "../../../providers/module.ts";
import { valuesOf } from "../../../settings/store/provider.ts";
import { withoutSecrets } from "../../../settings/store/tab_secrets.ts";
import { PostForm } from "../../parts/form.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { evidenceText, ProviderFields } from "../../parts/provider_fields.tsx";
import { Moment } from "../../parts/site_time.tsx";
import { Table } from "../../parts/table.tsx";
import { Report } from "./connection_report.tsx";
import { Limits } from "./limits.tsx";
import type { View } from "../../frame/view.ts";
import type { StepProps } from "./step_props.ts";

/** A form with some of the general settings. The others stay as they are. */
export function GeneralFields(
  { view, current, id, children }: Pick<StepProps, "current"> & {
    view: View;
    id: string;
    children: ComponentChildren;
  },
): VNode {
  const { settings } = view.app;
  const fields = withoutSecrets("general", settings.current().general, settings.providers);
  return (
    <PostForm view={view} action="cfbe_save_general" tab="general" id={id} current={{ fields }}>
      {children}
      <div class="buttons">
        <button type="submit" class={current ? "primary" : undefined}>Save changes</button>
      </div>
    </PostForm>
  );
}

export function SettingsStep({ view, facts, current }: StepProps): VNode {
  const { module, isSandbox, title, capabilities } = facts;
  if (isSandbox) return <p>Choose a provider above to see its settings.</p>;
  const limits = limitationsOf(capabilities);
  return (
    <>
      <p class="help">{evidenceText(module)}</p>
      {limits.length > 0 && (
        <Notice kind="plain">
          {title} has limits:
          <Limits limits={limits} />
        </Notice>
      )}
      <SettingsForm view={view} current={current} module={module} />
    </>
  );
}

/** The settings of a provider. */
export function SettingsForm(
  { view, current, module }: Pick<StepProps, "current"> & { view: View; module: ProviderModule },
): VNode {
  return (
    <GeneralFields view={view} current={current} id="provider-settings">
      <ProviderFields fields={module.fields} values={valuesOf(view.app.settings.current(), module)} />
    </GeneralFields>
  );
}

export function ConnectionStep({ view, facts, current }: StepProps): VNode {
  const report = view.done?.action === "cfbe_test_connection"
    ? view.done.data as TestedConnection
    : undefined;
  const { connection, name, other } = facts;
  const testedAt = "at" in connection ? connection.at : undefined;
  return (
    <>
      <p>Sends one request with the saved settings. Changes nothing at the provider.</p>
      {report && <Report report={report} />}
      {!report && testedAt !== undefined && (
        <p class="help">
          {connection.state === "works" ? "Worked" : "Failed"} at <Moment at={testedAt} />.
        </p>
      )}
      <PostForm view={view} action="cfbe_test_connection" id="provider-connection">
        {other !== undefined && <input type="hidden" name="provider" value={name} />}
        <div class="buttons">
          <button type="submit" class={current ? "primary" : undefined}>Test connection</button>
        </div>
      </PostForm>
    </>
  );
}

export function OptInStep({ view, facts }: StepProps): VNode {
  const { usedLists, capabilities: { optIn }, title } = facts;
  return (
    <>
      <p>
        With double opt-in, {title}{" "}
        asks everyone to confirm first. Without it, anyone can sign up other people, and there is no proof
        that the owner of an address agreed.{" "}
        {optIn !== "none" && <>{title} sets it {OPT_IN_PLACES[optIn]}.</>}
      </p>
      {usedLists.length > 0 && (
        <Table
          caption="Double opt-in of the lists in use"
          rows={usedLists}
          keyOf={({ id }) => id}
          columns={[
            { title: "List", cell: ({ name }) => <strong>{name}</strong> },
            { title: "Double opt-in", cell: ({ doubleOptIn }) => <OptInBadge doubleOptIn={doubleOptIn} /> },
          ]}
        />
      )}
      <PostForm view={view} action="cfbe_load_lists" id="provider-opt-in">
        <div class="buttons">
          <button type="submit">Check again</button>
        </div>
      </PostForm>
    </>
  );
}

export function OptInBadge({ doubleOptIn }: { doubleOptIn: boolean | undefined }): VNode {
  if (doubleOptIn === undefined) return <Badge>not shown by the provider</Badge>;
  return doubleOptIn
    ? <Badge kind="good">on</Badge>
    : <Badge kind="warn">off (subscribers are added without confirmation)</Badge>;
}
