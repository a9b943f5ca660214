import { isAbsolute, relative, resolve, sep } from 'node:path';
import { SolpackError } from '../events/index.ts';

/** Resolves `path` relative to `root`. Throws `path-escapes` where it leads out of `root`. */
export function inside(root: string, path: string): string {
  const full = resolve(root, path);
  if (!contains(root, full)) {
    throw new SolpackError('path-escapes', path, `leads out of ${root}`, {
      hint: 'use a relative path without ".." that stays below that folder',
    });
  }
  return full;
}

/** Decides whether `path` is `root` or lies below it. Both are absolute. */
export function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Returns `path` with `/` between its names, as in archives. */
export function portable(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
