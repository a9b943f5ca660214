import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../home.ts';
import { parseCast } from './cast.ts';
import { recordingSvg } from './svg.ts';

/** Draws every recording of the docs, as paths from the top of the checkout with SVG. */
export function recordings(): [path: string, svg: string][] {
  return globSync('docs/recordings/*.cast', { cwd: root })
    .sort()
    .map((path) => [
      `docs/recordings/${basename(path, '.cast')}.svg`,
      recordingSvg(parseCast(readFileSync(join(root, path), 'utf8'))),
    ]);
}
