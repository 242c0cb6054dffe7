/** A React project as a customer has it: its own folder, npm, the packed package. */
import { fileURLToPath } from "node:url";
import { eventually, freePort } from "../program.ts";

const APP = fileURLToPath(new URL("../react_app", import.meta.url));
const PACKED = fileURLToPath(new URL("../../widget/dist-npm", import.meta.url));
const START_MS = 15_000;

/** Pinned, so that a test that was green stays so. */
const DEPENDENCIES = {
  "@types/node": "20.19.43",
  "@types/react": "19.3.0",
  "@types/react-dom": "19.3.0",
  react: "19.3.1",
  "react-dom": "19.3.1",
  typescript: "6.0.3",
  vite: "8.3.8",
};

/** As strict as projects get, looking into the package's own types as well. */
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
  /** Runs a command in it, its words parted by spaces; fails with what the command said. */
  run(line: string): Promise<void>;
}

/** Copies the app's sources into a folder and installs what they need, the package from its tarball. */
export async function createProject(): Promise<Project> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-react-" });
  const project: Project = {
    folder,
    async run(line) {
      const [command, ...args] = line.split(" ");
      const { success, stdout, stderr } = await new Deno.Command(command!, {
        args,
        cwd: folder,
        // Only React's development build says what differs between the server's page and the browser's.
        env: { NODE_ENV: "development" },
      }).output();
      if (success) return;
      const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
      throw new Error(`${line}\n${said}`);
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
  throw new Error("The package is not packed: run `deno task pack`.");
}

export interface Shop extends AsyncDisposable {
  url: string;
  /** What the server's process has said. */
  log(): string;
}

/** Starts the built app's server in Node. */
export async function serveProject({ folder }: Project, script: string): Promise<Shop> {
  const port = freePort();
  const child = new Deno.Command("node", {
    args: ["dist/server/server.js", `${port}`, script],
    cwd: folder,
    env: { NODE_ENV: "development" },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  let ended = false;
  child.status.then(() => ended = true);
  const shop: Shop = {
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      await child.status;
      await reading;
    },
  };
  try {
    await eventually("the app's server answers", START_MS, () => {
      if (ended) throw new Error("the app's server ended");
      return fetch(shop.url).then(async (response) => (await response.body?.cancel(), true), () => false);
    });
  } catch (error) {
    await shop[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${log}`);
  }
  return shop;
}
