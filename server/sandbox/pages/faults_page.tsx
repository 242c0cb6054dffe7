import type { VNode } from "preact";
import { FAULT_MODES, type Faults, WEBHOOK_MODES } from "../account/faults.ts";
import { layout, type SandboxUrls } from "./layout.tsx";

/** Renders the form that selects simulated faults. */
export function faultsPage(urls: SandboxUrls, faults: Faults, saved: boolean): string {
  const body = (
    <>
      <h1>Simulated failures</h1>
      <p class="lead">
        Make the provider fail and check that no signup is lost. The inbox and confirmation links keep
        working.
      </p>
      {saved && <p class="saved" role="status">Saved.</p>}
      <form class="card switches" method="post" action={`${urls.sandbox}/faults`}>
        <fieldset>
          <legend>Calls to the provider</legend>
          {FAULT_MODES.map(({ value, label }) => option("mode", value, label, faults.mode))}
        </fieldset>
        <p class="field">
          <label for="retry">Retry-After in seconds</label>
          <input
            id="retry"
            name="retryAfterSeconds"
            type="number"
            min="0"
            max="86400"
            step="1"
            inputmode="numeric"
            aria-describedby="retry-hint"
            value={faults.retryAfterSeconds ?? ""}
          />
          <span class="small" id="retry-hint">Sent with 429 and 503. Leave empty to send none.</span>
        </p>
        <fieldset>
          <legend>Webhooks</legend>
          {WEBHOOK_MODES.map(({ value, label }) => option("webhooks", value, label, faults.webhooks))}
        </fieldset>
        <p>
          <button type="submit" class="primary">Save</button>
        </p>
      </form>
    </>
  );
  return layout(urls, { title: "Faults", tab: "faults", faults, body });
}

const option = (name: string, value: string, label: string, chosen: string): VNode => (
  <label class="option">
    <input type="radio" name={name} value={value} checked={value === chosen} /> <span>{label}</span>
  </label>
);
