import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ruler } from '../package/notices.ts';
import type { Contents } from './chunks.ts';
import { withNote } from './elf.ts';
import type { Runtime } from './runtime.ts';

/** The name under which Node.js looks for what it is to run. */
const RESOURCE = 'NODE_SEA_BLOB';

/** What tells Node.js to look: a mark in the program, whose last character is 1 where there is something. */
const FUSE = Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:');

const execute = promisify(execFile);

/**
 * Returns an executable: a Node.js with the contents inside. `compile` comes before the Node.js of the executable,
 * which compiles them, where it is made for other processors; `native` is the same Node.js for this one. `folder` is
 * for files on the way.
 */
export async function assembled(
  { main, chunks, threads, licenses }: Contents,
  runtime: Runtime,
  native: Runtime,
  compile: readonly string[],
  folder: string,
): Promise<Buffer> {
  const node = `Node.js ${runtime.version}\n\n${runtime.license}`;
  const files = new Map([...chunks, ...[...threads].map(([name, code]) => [`${name}.thread`, code] as const)]);
  files.set('LICENSES', `${licenses}${ruler}${node}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'main.cjs'), main);
  const compiler = join(import.meta.dirname, 'compile.cjs');
  // A seed of its own would order things otherwise in each process.
  const [program = '', ...words] = [...compile, runtime.program, '--hash-seed=1', compiler, folder, ...chunks.keys()];
  await execute(program, words, { env: {} });
  const assets = [...files.keys(), ...[...chunks.keys()].map((name) => `${name}.compiled`)].sort();
  const settings = {
    main: 'main.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    // NODE_OPTIONS is for programs that are known to be Node.js: it could load code into this one.
    execArgvExtension: 'none',
    assets: Object.fromEntries(assets.map((name) => [name, name])),
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  await execute(native.program, ['--experimental-sea-config', 'settings.json'], { cwd: folder, env: {} });
  return withNote(marked(readFileSync(runtime.program)), RESOURCE, readFileSync(join(folder, 'blob')));
}

/** Returns a Node.js that looks for what it is to run. Throws where it could not. */
function marked(node: Buffer): Buffer {
  const at = node.indexOf(FUSE);
  const state = at + FUSE.length;
  if (at < 0 || node.indexOf(FUSE, state) >= 0 || node[state] !== 0x30) {
    throw new Error('its Node.js has not the one mark that says whether something is inside');
  }
  node[state] = 0x31;
  return node;
}
