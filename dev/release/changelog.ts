/** Changelog fragments: one file a change in `changelog.d/`, which a release collects into its section. */

/** The areas of a section in their order: the folder of a fragment, and the heading of its area. */
const AREAS = {
  signups: "Signups and confirmation emails",
  forms: "Forms",
  texts: "Texts for visitors",
  subscribers: "Subscribers and privacy",
  shops: "Shops",
  wordpress: "WordPress",
  admin: "Admin",
  providers: "Email providers",
  cli: "Command line, API and hooks",
  database: "Database and backups",
  operation: "Operation",
  deployment: "Deployment",
  performance: "Performance",
  development: "Development",
} as const;

/** The kinds of changes in the order of a section, with the heading of each. */
const KINDS = {
  breaking: "Breaking changes",
  security: "Security",
  added: "Added",
  changed: "Changed",
  fixed: "Fixed",
  removed: "Removed",
} as const;

const PATH = /^(?<area>[a-z]+)\/(?<name>[a-z0-9]+(?:-[a-z0-9]+)*)\.(?<kind>[a-z]+)\.md$/;
const WHAT_TO_DO = "What to do: ";
const LONGEST = 900;

/** One change, as its fragment tells it. */
export interface Fragment {
  area: keyof typeof AREAS;
  /** Name of the file, without its kind. */
  name: string;
  kind: keyof typeof KINDS;
  /** One paragraph in one line. */
  text: string;
  /** What a user has to do. Only breaking changes have it. */
  whatToDo?: string;
}

/**
 * Reads a fragment.
 *
 * @param path below `changelog.d`, such as `forms/opening-by-delay.fixed.md`
 * @throws {Error} with the path and what is wrong
 */
export function readFragment(path: string, content: string): Fragment {
  const fail = (problem: string): never => {
    throw new Error(`changelog.d/${path}: ${problem}`);
  };
  const { area = "", name = "", kind = "" } = PATH.exec(path)?.groups ??
    fail("name the file AREA/SHORT-NAME.KIND.md");
  if (!Object.hasOwn(AREAS, area)) fail(`the folder must be one of ${Object.keys(AREAS).join(", ")}`);
  if (!Object.hasOwn(KINDS, kind)) fail(`the kind must be one of ${Object.keys(KINDS).join(", ")}`);
  const [text = "", whatToDo, ...more] = content.trim().split(/\n\s*\n/).map((paragraph) =>
    paragraph.split("\n").map((line) => line.trim()).join(" ")
  );
  for (const paragraph of [text, whatToDo ?? "."]) {
    if (!/^[^#\-\s].*[.!?:)]$|^\.$/.test(paragraph)) fail("write sentences, without a heading or a list");
  }
  if (content.length > LONGEST) fail(`is longer than ${LONGEST} characters: say only what a user notices`);
  const read = { area, name, kind, text } as Fragment;
  if (kind !== "breaking") return whatToDo === undefined ? read : fail("write one paragraph");
  if (!whatToDo?.startsWith(WHAT_TO_DO) || more.length > 0) {
    return fail(`add one paragraph that starts with "${WHAT_TO_DO.trim()}"`);
  }
  return { ...read, whatToDo: whatToDo.slice(WHAT_TO_DO.length) };
}

/** Returns the section of a release: kinds and areas in their order, and the changes of an area by their names. */
export function sectionOf(version: string, day: string, fragments: readonly Fragment[]): string {
  const lines = [`## ${version} (${day})`];
  for (const [kind, heading] of Object.entries(KINDS)) {
    const ofKind = fragments.filter((fragment) => fragment.kind === kind);
    if (ofKind.length > 0) lines.push("", `### ${heading}`);
    for (const [area, title] of Object.entries(AREAS)) {
      const changes = ofKind.filter((fragment) => fragment.area === area)
        .sort((a, b) => a.name < b.name ? -1 : 1);
      if (changes.length > 0) lines.push("", `**${title}**`, "");
      lines.push(
        ...changes.map(({ text, whatToDo }) =>
          `- ${text}${whatToDo ? ` _${WHAT_TO_DO.trim()}_ ${whatToDo}` : ""}`
        ),
      );
    }
  }
  return lines.join("\n") + "\n";
}

/** Returns the changelog with a new section above those of earlier releases. */
export function withSection(changelog: string, section: string): string {
  const at = changelog.search(/^## /m);
  return at === -1
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, at)}${section}\n${changelog.slice(at)}`;
}

/** Returns the section of a release in a changelog; undefined if it has none. */
export function findSection(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  return sections.find((section) => section.startsWith(`## ${version} (`));
}

/** Returns a text whose relative links start at `base`, for a place outside of the repository. */
export function withAbsoluteLinks(text: string, base: string): string {
  return text.replace(/\]\((?!https?:|#)([^)\s]+)\)/g, (_, target: string) => `](${base}/${target})`);
}

/** Reads every fragment of a checkout. `readFragment` lists the errors. */
export function readFragments(root: string): Fragment[] {
  return fragmentPaths(root).map((path) =>
    readFragment(path, Deno.readTextFileSync(`${root}/changelog.d/${path}`))
  );
}

/** Returns the paths of all files in `changelog.d`, relative to it and sorted. The folder may be missing. */
export function fragmentPaths(root: string, folder = ""): string[] {
  try {
    return [...Deno.readDirSync(`${root}/changelog.d/${folder}`)].flatMap(({ name, isDirectory }) =>
      isDirectory ? fragmentPaths(root, `${folder}${name}/`) : [`${folder}${name}`]
    ).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
