// Makes formats/kubernetes/*.json: what API servers of each minor version serve by default, and the shapes of it. The
// facts are in the Go module k8s.io/kubernetes, which go gets: node scripts/kubernetes-facts.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './home.ts';
import { enumsOf } from './kubernetes-facts/enums.ts';
import { fetchRelease, type Release } from './kubernetes-facts/release.ts';
import { kindRanges, type Resource, servedIn } from './kubernetes-facts/served.ts';
import { shapesOf } from './kubernetes-facts/shapes.ts';

/** The minor versions whose served kinds are known, and the first of those whose shapes are known. */
const [first, firstShape, last] = [16, 24, 37];

const minors = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const releases = new Map<number, Release>();
for (const minor of minors) releases.set(minor, fetchRelease(minor));

const served = new Map<number, readonly Resource[]>();
for (const [minor, release] of releases) served.set(minor, servedIn(release));
write('kinds.json', { oldest: firstShape, newest: last, versions: kindRanges(served) });

const shaped = [...releases].filter(([minor]) => minor >= firstShape);
const roots = new Map(shaped.map(([minor]) => [minor, served.get(minor)!.filter(({ isDefault }) => isDefault)]));
write('shapes.json', shapesOf(new Map(shaped), roots, enumsOf(shaped.map(([, release]) => release))));

function write(name: string, value: unknown): void {
  const path = join('formats/kubernetes', name);
  writeFileSync(join(root, path), `${JSON.stringify(value, undefined, 2)}\n`);
  console.log(`wrote ${path}`);
}
