/** A page of a shop that is written in React, rendered on a server and taken over in the browser. */
import { CfbeForm } from "cfbe/react";
import { type ReactElement, StrictMode, useState } from "react";

/** @param script address of the widget's script */
export function App({ script }: { script: string }): ReactElement {
  const [heading, setHeading] = useState("News");
  const [there, setThere] = useState(true);
  const [heard, setHeard] = useState<string[]>([]);
  // Not from the list of the first render: were an old handler called, it would forget what came in between.
  const hear = (what: string) => setHeard([...heard, what]);

  return (
    <StrictMode>
      <h1>A shop</h1>
      {there && (
        <CfbeForm
          src={script}
          form="footer"
          heading={heading}
          className="signup"
          data-section="footer"
          onReady={({ detail }) => hear(`ready ${detail.form}`)}
          onSubmit={() => hear("submit")}
          onSuccess={({ detail }) => hear(`success ${detail.code}`)}
        >
          <a href="/by-hand">Subscribe by hand</a>
        </CfbeForm>
      )}
      <button type="button" onClick={() => setHeading("More news")}>Rename</button>
      <button type="button" onClick={() => setThere(false)}>Remove</button>
      <output>{heard.join(", ")}</output>
    </StrictMode>
  );
}
