/** A customer's React project, in its own folder, with the packed npm package. */
import { fileURLToPath } from "node:url";
import { run, startProcess } from "../process.ts";
import { freePort } from "../../dev/free_port.ts";

const APP = fileURLToPath(new URL("../react_app", import.meta.url));
const PACKED = fileURLToPath(new URL("../../widget/dist-npm", import.meta.url));

/** Pinned, so that a new release can't break the test. */
const DEPENDENCIES = {
  "@types/node": "20.19.43",
  "@types/react": "19.3.0",
  "@types/react-dom": "19.3.0",
  react: "19.3.1",
  "react-dom": "19.3.1",
  typescript: "6.0.3",
  vite: "8.3.8",
};

/** Strict, and without `skipLibCheck`, to check the package's own types as well. */
const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    jsx: "react-jsx",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  include: ["*.tsx"],
};

export interface Project extends AsyncDisposable {
  folder: string;
  /** Runs a command in the folder. Its arguments must not contain spaces. */
  run(line: string): Promise<void>;
}

/** Copies the app's sources into a folder and installs their dependencies, the package from its tarball. */
export async function createProject(): Promise<Project> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-react-" });
  const project: Project = {
    folder,
    async run(line) {
      const [command, ...args] = line.split(" ");
      // Only React's development build reports differences between the server's HTML and the browser's.
      await run(command!, args, { cwd: folder, env: { NODE_ENV: "development" } });
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
  try {
    for await (const { name } of Deno.readDir(APP)) {
      await Deno.copyFile(`${APP}/${name}`, `${folder}/${name}`);
    }
    const dependencies = { ...DEPENDENCIES, cfbe: `file:${await tarball()}` };
    const manifest = { name: "shop", private: true, type: "module", dependencies };
    await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify(manifest));
    await Deno.writeTextFile(`${folder}/tsconfig.json`, JSON.stringify(TSCONFIG));
    await project.run("npm install --no-audit --no-fund --prefer-offline");
  } catch (error) {
    await project[Symbol.asyncDispose]();
    throw error;
  }
  return project;
}

async function tarball(): Promise<string> {
  for await (const { name } of Deno.readDir(PACKED)) if (name.endsWith(".tgz")) return `${PACKED}/${name}`;
  throw new Error("The npm package does not exist. Run `deno task pack`.");
}

export interface Shop extends AsyncDisposable {
  url: string;
  /** Returns what the server has written to stderr. */
  log(): string;
}

/**
 * Starts the built app's server in Node.
 *
 * @param script URL of the widget's script
 */
export async function serveProject({ folder }: Project, script: string): Promise<Shop> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startProcess("node", {
    args: ["dist/server/server.js", `${port}`, script],
    cwd: folder,
    env: { NODE_ENV: "development" },
    ready: async () => (await fetch(url)).body?.cancel(),
  });
  return { url, log: server.log, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
