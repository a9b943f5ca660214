import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { packageFolder, replaceFolder, root, words } from './home.ts';

// Puts solpack and all packages that it uses into a few files of JavaScript that Node.js alone can run:
//   node scripts/build.ts [-o FOLDER]
// The same sources give the same bytes, wherever they lie.

const { values } = parseArgs({ options: { output: { type: 'string', short: 'o', default: packageFolder } } });

/** Files that are copied as they are. */
const carried = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs'];

/** The files of threads: the module that starts each, its name beside that module, and its name in the package. */
const threads = [
  { starter: 'lib/workers/crew.ts', body: 'body.ts', name: 'worker' },
  { starter: 'lib/registry-server/password-thread.ts', body: 'password-body.ts', name: 'passwords' },
] as const;

/** Uses the names of the threads' files in the package. */
const threadFiles: Plugin = {
  name: 'thread-files',
  transform: {
    filter: { id: /\/lib\/.*\.ts$/ },
    handler: (code, id) => {
      const thread = threads.find(({ starter }) => id === join(root, starter));
      if (!thread) return undefined;
      const url = (file: string): string => `new URL('./${file}', import.meta.url)`;
      const replaced = code.replace(url(thread.body), url(`${thread.name}.js`));
      if (replaced === code)
        throw new Error(`${thread.starter} no longer names its threads as scripts/build.ts expects`);
      return replaced;
    },
  },
};

try {
  await replaceFolder(values.output, build);
  console.log(values.output);
} catch (error) {
  console.error(`build: ${words(error)}`);
  process.exitCode = 1;
}

async function build(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: {
      bin: 'cli/bin.js',
      ...Object.fromEntries(threads.map(({ starter, body, name }) => [name, join(dirname(starter), body)])),
    },
    platform: 'node',
    plugins: [threadFiles],
    // A package that detects bundlers does so with an eval that fails.
    checks: { eval: false, ineffectiveDynamicImport: false },
  });
  // The package has the same depth as the sources, so that files beside them are found there too. CommonJS, because
  // Node.js starts such modules a sixth faster.
  const { output } = await bundle.write({ dir: join(folder, 'bin'), format: 'cjs', entryFileNames: '[name].js' });
  await bundle.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  const names = [...new Set(chunks.flatMap(packagesOf))].sort();
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), names.map(noticeOf).join(`\n${'-'.repeat(80)}\n`));
  const { name, version, description, license, engines } = readJson(join(root, 'package.json'));
  const about = { name, version, description, license, type: 'commonjs', bin: { [name]: 'bin/bin.js' }, engines };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(about, undefined, 2)}\n`);
  for (const part of carried) cpSync(join(root, part), join(folder, part), { recursive: true });
}

/** Returns the packages whose modules are in a chunk. */
function packagesOf({ modules }: OutputChunk): string[] {
  return Object.keys(modules).flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[0] ?? []);
}

/** Returns the licence text of a package, which has to accompany it. */
function noticeOf(folder: string): string {
  const { name, version, license } = readJson(join(folder, 'package.json'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}

// biome-ignore lint/suspicious/noExplicitAny: whatever npm has checked already.
function readJson(path: string): Record<string, any> {
  if (!existsSync(path)) throw new Error(`${path} is missing; run "npm ci"`);
  return JSON.parse(readFileSync(path, 'utf8'));
}
