import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { argumentsOf, packageFolder, replaceFolder, root, words } from './home.ts';
import { readApi } from './package/api.ts';
import { sourcesInAscii } from './package/ascii.ts';
import { declarationFiles } from './package/declarations.ts';
import { grouping } from './package/groups.ts';
import { manifestOf } from './package/manifest.ts';
import { noticesOf, readJson } from './package/notices.ts';
import { builtinsInOrder } from './package/order.ts';
import { withoutWholeRooms } from './package/rooms.ts';
import { writeSharedFiles } from './package/share.ts';
import { startThreads, threadInputs } from './package/threads.ts';
import { dayOf } from './reproducible/changelog.ts';
import { sourceDate } from './reproducible/date.ts';

// Puts solpack and all packages that it uses into a few files of JavaScript that Node.js alone can run:
//   node scripts/build.ts [-o FOLDER]
// The same sources give the same bytes, wherever they lie.

const { values } = argumentsOf('build', {
  options: { output: { type: 'string', short: 'o', default: packageFolder } },
});

/** Files that are copied as they are. */
const carried = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs'];

/** Uses the names of the threads' files in the package. */
const threadFiles = startThreads((file, name) => [file, `new URL('./${name}.js', import.meta.url)`]);

try {
  await replaceFolder(values.output, build);
  console.log(values.output);
} catch (error) {
  console.error(`build: ${words(error)}`);
  process.exitCode = 1;
}

async function build(folder: string): Promise<void> {
  const { plugin, codeSplitting } = grouping();
  const bundle = await rolldown({
    cwd: root,
    input: { bin: 'cli/bin.js', index: 'lib/index.ts', parts: 'lib/parts.ts', ...threadInputs },
    platform: 'node',
    plugins: [builtinsInOrder, sourcesInAscii, threadFiles, plugin],
    treeshake: withoutWholeRooms,
    // A package that detects bundlers does so with an eval that fails.
    checks: { eval: false, ineffectiveDynamicImport: false },
  });
  // The package has the same depth as the sources, so that files beside them are found there too. CommonJS, because
  // Node.js starts such modules a sixth faster.
  const { output } = await bundle.write({
    dir: join(folder, 'bin'),
    format: 'cjs',
    entryFileNames: '[name].js',
    codeSplitting,
  });
  await bundle.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), noticesOf(chunks));
  for (const [name, text] of declarationFiles(readApi())) writeFileSync(join(folder, name), text);
  const project = readJson(join(root, 'package.json'));
  const about = manifestOf(project, carried);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(about, undefined, 2)}\n`);
  await writeSharedFiles(folder, project.version, dayOf(sourceDate(project.version)));
  for (const part of carried) cpSync(join(root, part), join(folder, part), { recursive: true });
}
