/** A shop's page in React, rendered on the server and hydrated in the browser. */
import { CfbeForm } from "cfbe/react";
import { type ReactElement, StrictMode, useState } from "react";

/** @param script URL of the widget's script */
export function App({ script }: { script: string }): ReactElement {
  const [heading, setHeading] = useState("News");
  const [visible, setVisible] = useState(true);
  const [events, setEvents] = useState<string[]>([]);
  // Deliberately not a functional update: a stale handler would lose the events in between, and fail the test.
  const record = (event: string) => setEvents([...events, event]);

  return (
    <StrictMode>
      <h1>A shop</h1>
      {visible && (
        <CfbeForm
          src={script}
          form="footer"
          preload="fields"
          data-shop="berlin"
          heading={heading}
          className="signup"
          data-section="footer"
          onReady={({ detail }) => record(`ready ${detail.form}`)}
          onSubmit={() => record("submit")}
          onSuccess={({ detail }) => record(`success ${detail.code}`)}
        >
          <a href="/subscribe">Subscribe on our page</a>
        </CfbeForm>
      )}
      <button type="button" onClick={() => setHeading("More news")}>Rename</button>
      <button type="button" onClick={() => setVisible(false)}>Remove</button>
      <output>{events.join(", ")}</output>
    </StrictMode>
  );
}
