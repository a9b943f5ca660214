import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Files that an image without Rock Ridge can hold too: no links, six levels, names that stay apart however they are
 * cut.
 */
export function writeFilesTree(folder: string): void {
  write(folder, {
    'README.TXT': 'upper',
    'lower.txt': 'lower',
    noext: 'no extension',
    empty: '',
    '.hidden': 'begins with a dot',
    'two.dots.tar.gz': 'two dots',
    'with space & odd #+~.txt': 'odd',
    'x,comma=[]@.txt': 'more that is odd',
    'a folder/déjà vu.txt': 'accents',
    'a folder/日本語': 'no Latin letter',
    'a.folder/with a dot in its name': 'inside',
    'one/two/three/four/five/six/leaf': 'deep',
    sectors: 's'.repeat(2048 * 3),
    'over the end of a sector': 's'.repeat(2048 * 3 + 1),
    [`${'n'.repeat(60)}.txt`]: 'a long name',
  });
  mkdirSync(join(folder, 'nothing'));
}

/** All that Rock Ridge can tell apart, with one folder too deep for a tree without it. */
export function writePosixTree(folder: string): void {
  writeFilesTree(folder);
  write(folder, {
    'readme.txt': 'the same letters in another case',
    'semicolon;1': 'no version',
    'ends with a dot.': 'kept',
    'back\\slash': 'not a separator',
    'line\nend': 'in a name',
    [`${'m'.repeat(200)}`]: 'a name for two entries',
    '1/2/3/4/5/6/7/8/9/10/leaf': 'moved',
    'bin/run': '#!/bin/sh\n',
  });
  chmodSync(join(folder, 'bin/run'), 0o755);
  linkSync(join(folder, 'sectors'), join(folder, 'bin/hard link'));
  symlinkSync('run', join(folder, 'bin/link'));
  symlinkSync('/usr/../usr/./lib', join(folder, 'bin/absolute'));
  symlinkSync('../../up', join(folder, 'bin/up'));
  symlinkSync('d'.repeat(240), join(folder, 'bin/to a long name'));
}

/** Folders that are moved from below moved ones, and two of one name. */
export function writeDeepTree(folder: string): void {
  write(folder, {
    'd/1/2/3/4/5/6/7/deep/1': 'moved',
    'e/1/2/3/4/5/6/7/deep/1': 'of the same name',
    'e/1/2/3/4/5/6/7/deep/6/7/8/9/10/11/12/13/14/leaf': 'moved twice',
    'e/f': 'not moved',
  });
}

/** Links whose targets fill several entries, in one component and in many. */
export function writeLinksTree(folder: string): void {
  write(folder, { file: 'x' });
  symlinkSync(Array.from({ length: 60 }, (_, at) => `component-${at}`).join('/'), join(folder, 'many components'));
  symlinkSync(`${'c'.repeat(255)}/${'d'.repeat(255)}/..`, join(folder, 'long components'));
}
