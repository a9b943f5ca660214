import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { docFiles } from '../../cli/doc-files.ts';
import { root } from '../home.ts';
import { sourcesInAscii } from '../package/ascii.ts';
import { noticesOf, readJson, ruler } from '../package/notices.ts';
import { builtinsInOrder } from '../package/order.ts';
import { withoutWholeRooms } from '../package/rooms.ts';
import { replaced, startThreads, threadInputs } from '../package/threads.ts';
import { gzip } from '../reproducible/gzip.ts';

/** What lies in an executable, on whichever platform. */
export interface Contents {
  /** The code that runs first. */
  readonly main: string;
  /** The code of modules, in files that are loaded when they are needed, by name. */
  readonly chunks: ReadonlyMap<string, string>;
  /** The code of threads, by name. */
  readonly threads: ReadonlyMap<string, string>;
  /** The licences of all that is in the chunks. */
  readonly licenses: string;
}

/** What reads the version from a file. */
const reading = "JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))";

/** Joins the sources of solpack, and the packages that they use, into a few files for the loader. */
export async function contentsOf(): Promise<Contents> {
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'cli/main.ts', ...threadInputs },
    platform: 'node',
    plugins: [
      startThreads((file, name) => [`new Worker(${file}, {`, `new Worker(threadCode('${name}'), { eval: true,`]),
      versionInside,
      docsInside,
      builtinsInOrder,
      sourcesInAscii,
    ],
    treeshake: withoutWholeRooms,
    // A package that detects bundlers does so with an eval that fails.
    checks: { eval: false, ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.generate({ format: 'cjs', entryFileNames: '[name].js' });
  await bundle.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  const names = new Set(chunks.map(({ fileName }) => fileName));
  const loader = codeBeside('loader.cjs');
  return {
    main: `${loader}${codeBeside('start.cjs')}`,
    chunks: new Map(chunks.map((chunk) => [chunk.fileName, wrapped(chunk, names)])),
    threads: new Map(Object.keys(threadInputs).map((name) => [name, `${loader}load('${name}.js');\n`])),
    licenses: [readFileSync(join(root, 'LICENSE'), 'utf8'), noticesOf(chunks)].join(ruler),
  };
}

/** Puts the version in the place of what reads it from a file. */
const versionInside: Plugin = {
  name: 'version-inside',
  transform: {
    filter: { id: /\/cli\/main\.ts$/ },
    handler: (code) => {
      const about = { version: readJson(join(root, 'package.json'))['version'] };
      return replaced(code, 'cli/main.ts', reading, JSON.stringify(about));
    },
  },
};

/** Puts the pages of the documentation in the place of what reads them from files. */
const docsInside: Plugin = {
  name: 'docs-inside',
  transform: {
    filter: { id: /\/cli\/doc-files\.ts$/ },
    handler: async () => {
      const pages = JSON.stringify([...(await docFiles())]);
      const packed = Buffer.from(gzip(Buffer.from(pages), 9)).toString('base64');
      return `import { gunzipSync } from 'node:zlib';
export const docFiles = async () => new Map(JSON.parse(gunzipSync(Buffer.from('${packed}', 'base64')).toString()));
`;
    },
  },
};

/** Returns the function that a chunk is to the loader. Throws where the chunk asks for more than the loader has. */
function wrapped({ fileName, code, imports, dynamicImports }: OutputChunk, chunks: ReadonlySet<string>): string {
  for (const id of [...imports, ...dynamicImports]) {
    if (!chunks.has(id) && !isBuiltin(id)) throw new Error(`${fileName} imports ${id}, which is not in the executable`);
  }
  if (code.includes('(__filename)')) throw new Error(`${fileName} asks where it lies, which is nowhere`);
  const builtins = dynamicImports.filter(isBuiltin);
  const text = builtins.reduce(
    (all, id) => all.replaceAll(`import("${id}")`, `Promise.resolve(require("${id}"))`),
    code,
  );
  return `(function (exports, require, module, threadCode) {${text}\n})`;
}

function codeBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}
