import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { corpusFolder } from './fuzz/corpus.ts';
import { words } from './home.ts';

// Makes the images of other writers that `npm run fuzz` damages: node scripts/fuzz-corpus.ts It needs genisoimage,
// xorriso and bsdtar. Sizes and dates change with each run; what is in fixtures/corpus stays as it is until somebody
// wants another option of a writer in it.

/** The programs that make an image, in order. The last one writes the image to `path`. */
type Recipe = (path: string, source: string) => readonly (readonly string[])[];

const geniso =
  (...flags: string[]): Recipe =>
  (path, source) => [['genisoimage', '-quiet', '-no-pad', ...flags, '-o', path, source]];
const xorriso =
  (...flags: string[]): Recipe =>
  (path, source) => [['xorriso', '-outdev', path, '-padding', '0', ...flags, '-map', source, '/']];

const recipes: Readonly<Record<string, Recipe>> = {
  'genisoimage-rock-ridge-moved': geniso('-R'),
  'genisoimage-rock-ridge-joliet': geniso('-iso-level', '3', '-r', '-D', '-J', '-joliet-long'),
  'genisoimage-joliet': geniso('-J', '-D', '-iso-level', '2'),
  'genisoimage-level-4': geniso('-iso-level', '4', '-D'),
  'genisoimage-el-torito': geniso('-R', '-J', '-b', 'boot', '-no-emul-boot', '-boot-info-table'),
  'xorriso-rock-ridge': xorriso(),
  'xorriso-joliet-moved': (path, source) => [
    ['xorriso', '-as', 'mkisofs', '-quiet', '-R', '-J', '-rr_reloc_dir', '/rr_moved', '-no-pad', '-o', path, source],
  ],
  'xorriso-zisofs': (path, source) => [
    [
      ...['xorriso', '-outdev', path, '-padding', '0', '-zisofs', 'level=9', '-map', source, '/'],
      ...['-set_filter_r', '--zisofs', '/', '--'],
    ],
  ],
  'xorriso-two-sessions': (path, source) => [
    ...xorriso()(path, source),
    ['xorriso', '-dev', path, '-padding', '0', '-map', join(source, 'README.txt'), '/second/session'],
  ],
  'xorriso-attributes': xorriso('-xattr', 'on', '-acl', 'on', '-md5', 'on', '-hardlinks', 'on'),
  bsdtar: (path, source) => [['bsdtar', '-cf', path, '--format', 'iso9660', '--options', '!pad', '-C', source, '.']],
  'bsdtar-zisofs': (path, source) => [
    ['bsdtar', '-cf', path, '--format', 'iso9660', '--options', '!pad,zisofs=direct', '-C', source, '.'],
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'solpack-corpus-'));
try {
  const sources = { plain: join(folder, 'plain'), full: join(folder, 'full') };
  makeSource(sources.plain, false);
  makeSource(sources.full, true);
  rmSync(corpusFolder, { recursive: true, force: true });
  mkdirSync(corpusFolder, { recursive: true });
  for (const [name, recipe] of Object.entries(recipes)) {
    const path = join(folder, `${name}.iso`);
    for (const [program, ...args] of recipe(path, name.startsWith('genisoimage') ? sources.plain : sources.full))
      run(program!, args);
    const bytes = readFileSync(path);
    const packed = gzipSync(bytes, { level: 9 });
    writeFileSync(join(corpusFolder, `${name}.iso.gz`), packed);
    console.log(`${name.padEnd(32)}${String(bytes.length).padStart(9)}${String(packed.length).padStart(8)}`);
  }
} catch (error) {
  console.error(`fuzz-corpus: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes files that use every feature of the writers: deep, long and odd names, links, a fifo, compressible files. */
function makeSource(source: string, long: boolean): void {
  const write = (path: string, content: string, mode = 0o644): void => {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), content);
    chmodSync(join(source, path), mode);
  };
  write('README.txt', 'upper');
  write('readme.TXT', 'lower');
  write('bin/run', '#!/bin/sh\n', 0o755);
  write('boot', 'b'.repeat(2048));
  write('empty', '');
  write('déjà/日本語.txt', 'unicode');
  write(`blobs/${'ab'.repeat(32)}`, 'x'.repeat(6000));
  write(`long/${'n'.repeat(200)}`, 'a long name');
  write(`long/${'m'.repeat(250)}`, 'a longer one');
  write(`${Array.from({ length: 10 }, (_, level) => `l${level}`).join('/')}/leaf`, 'deep');
  for (let number = 0; number < 24; number += 1) write(`many/file-${number}`, `${number}`);
  mkdirSync(join(source, 'nothing'));
  linkSync(join(source, 'bin/run'), join(source, 'bin/run-too'));
  symlinkSync('../bin/run', join(source, 'many/link'));
  symlinkSync('/usr/../usr/./lib', join(source, 'absolute'));
  // genisoimage never ends on a link target that needs a second entry.
  if (long) symlinkSync(`${'far/'.repeat(70)}end`, join(source, 'far'));
  if (long) run('mkfifo', [join(source, 'pipe')]);
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stderr}`);
}
