/** The program with a week of invented signups, and forms in every state that their pages have. */
import { storeImage } from "../server/forms/images/rows.ts";
import { imageFile } from "../server/forms/images/testing/samples.ts";
import { formDraftKey } from "../server/settings/forms/form_drafts.ts";
import { partsPage } from "../dev/gallery/parts.tsx";
import type { TestProgram } from "../dev/testing/program.ts";
import { longForm, richForm } from "../dev/testing/rich_form.ts";
import { type OpenAdmin, openAdmin } from "./admin_pages.ts";
import { launch } from "./browser.ts";
import { ADMIN, startSample } from "./pictures/sample.ts";
import { SETTINGS } from "./pictures/sample_data.ts";

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1_000;
const SESSIONS = 2_000;
const CONFIRMED = { a: 80, b: 200, c: 120 };

/**
 * Starts the program. Its user is `ADMIN` of the pictures.
 *
 * The form `rich` has everything that a form can have, and unpublished changes. Those named `drafted`, `running`, `decided`
 * and `ended` have an experiment in that state; `footer` has none. `long` has 14 fields.
 */
async function startStates(): Promise<TestProgram> {
  const program = await startSample(DAYS, [partsPage]);
  const { services } = program;
  const size = { width: 320, height: 200 };
  const image = await storeImage(services, { bytes: await imageFile("webp", size), ...size });
  const startedAt = services.clock.now() - 5 * DAY_MS;
  const rich = richForm("rich", startedAt);
  const alt = "A pot of tea";
  await services.settings.save("forms", {
    forms: [
      ...SETTINGS.forms!.forms!,
      { ...rich, design: { ...rich.design, image: { id: image, alt, place: "left" } } },
      longForm("long"),
      richForm("drafted", startedAt, "draft"),
      richForm("running", startedAt),
      richForm("decided", startedAt),
      richForm("ended", startedAt, "stopped"),
    ],
  });
  const values = { heading: "A draft", text: "Nobody sees it yet." };
  await services.kv.set(formDraftKey({ name: "rich" }), {
    v: 1,
    values,
    image: { id: image, alt: "", place: "top" },
    texts: { de: { heading: "Ein Entwurf" } },
    by: "grace",
    at: services.clock.now(),
  });
  await countSessions(program);
  return program;
}

/** Lets the variant `b` of two forms win clearly. */
async function countSessions({ services: { experimentCounts: counts, kv } }: TestProgram): Promise<void> {
  const tx = kv.atomic();
  for (const form of ["decided", "ended"]) {
    for (const [id, confirmed] of Object.entries(CONFIRMED)) {
      const sessions = id === "c" ? 2 * SESSIONS : SESSIONS;
      for (let i = 0; i < sessions; i++) counts.count(`x${form}/${id}`, "seen");
      for (let i = 0; i < confirmed; i++) counts.add(tx, `x${form}/${id}`, "confirmed");
    }
  }
  await tx.commit();
}

/** The signed-in admin of that program. */
export interface AdminStates extends OpenAdmin {
  program: TestProgram;
}

/** Starts the program and signs its admin in. Both end with the stack. */
export async function openStates(stack: AsyncDisposableStack): Promise<AdminStates> {
  const program = stack.use(await startStates());
  const browser = await launch();
  stack.defer(() => browser.close());
  const admin = await openAdmin(browser, program.baseUrl, ADMIN);
  await admin.signIn();
  return { ...admin, program };
}
