import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Member } from '../images/tar.ts';
import { tar } from '../images/tar.ts';
import { gzip } from '../reproducible/gzip.ts';

/** The time of all files in packages of npm. */
const date = new Date('1985-10-26T08:15:00Z');

/**
 * Makes the tarball of a package's folder, as `npm pack` does; that compresses by the zlib of its Node.js, so that its
 * bytes are not the same everywhere.
 */
export function npmTarball(folder: string): Uint8Array {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const members: Member[] = paths
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => ({
      path: `package/${path}`,
      bytes: readFileSync(join(folder, path)),
      mode: path === 'bin/bin.js' ? 0o755 : 0o644,
    }));
  return gzip(tar(members, date));
}
