import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type Member, tar } from '../images/tar.ts';
import { gzip } from '../reproducible/gzip.ts';
import { ar } from './ar.ts';

/** A file that a package installs. */
export interface InstalledFile {
  /** Without a slash ahead: `usr/bin/solpack`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Permission bits; left out: 0o644. */
  readonly mode?: number;
}

/** What a package says of itself: fields of `control`, in their order (Debian Policy 5.3). */
export type Control = readonly (readonly [name: string, value: string])[];

/**
 * Makes a Debian package (deb(5), format 2.0) that every dpkg can read, since it is compressed by gzip.
 * `Installed-Size` is added to its fields. The same files and the same date give the same bytes.
 */
export function debOf(control: Control, files: readonly InstalledFile[], date: Date): Uint8Array {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const size = sorted.reduce((total, { bytes }) => total + Math.ceil(bytes.length / 1024), 0);
  const fields = [...control, ['Installed-Size', String(size)] as const];
  const about = fields.map(([name, value]) => `${name}: ${value.replaceAll('\n', '\n ')}\n`).join('');
  const sums = sorted.map(({ path, bytes }) => `${createHash('md5').update(bytes).digest('hex')}  ${path}\n`).join('');
  const description: Member[] = [
    { path: '.' },
    { path: './control', bytes: Buffer.from(about) },
    { path: './md5sums', bytes: Buffer.from(sums) },
  ];
  return ar(
    [
      { name: 'debian-binary', bytes: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', bytes: gzip(tar(description, date)) },
      { name: 'data.tar.gz', bytes: gzip(tar(withFolders(sorted), date)) },
    ],
    date,
  );
}

/** Puts the folders that files lie in before them. */
function withFolders(files: readonly InstalledFile[]): Member[] {
  const members = new Map<string, Member>([['.', { path: '.' }]]);
  for (const { path, bytes, mode } of files) {
    const folders: string[] = [];
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.unshift(at);
    for (const folder of folders) members.set(folder, { path: `./${folder}` });
    members.set(path, { path: `./${path}`, bytes, ...(mode !== undefined && { mode }) });
  }
  return [...members.values()];
}
