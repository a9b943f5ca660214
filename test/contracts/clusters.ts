import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import type { AppliedSolution, ApplyRequest, ApplyResult } from '../../lib/parts/clusters/index.ts';
import { nameOf, wordsOf } from '../../lib/parts/clusters/kubernetes/server/api.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';

const objects = (name: string) => [map(`contract/${name}-b`), map(`contract/${name}-a`)];
const component = (name: string, ...after: string[]) => ({ name, objects: objects(name), after, timeout: 60_000 });

/** Two Solutions, the names of which are not in order, as are the components of one. */
export const asked: ApplyRequest = {
  configuration: 'contract',
  solutions: [
    {
      name: 'zoo',
      version: '2.0.0-rc.1',
      root: undefined,
      components: [
        { ...component('second'), objects: [...objects('second'), stated('v1', 'Namespace', 'contract')] },
        component('first', 'second'),
      ],
    },
    { name: 'app', version: '1.0.0', root: `sha256:${'0'.repeat(64)}`, components: [component('only')] },
  ],
};

/** Applies `asked`, twice, and expects what every target promises. Files are read where there are any. */
export async function keepsItsPromises(apply: (request: ApplyRequest) => Promise<ApplyResult>): Promise<void> {
  expect(await apply({ configuration: 'contract', solutions: [] })).toEqual({ solutions: [], removed: [] });
  const first = await apply(asked);
  const again = await apply(asked);
  for (const { solutions, removed } of [first, again]) {
    expect(removed).toEqual([]);
    expect(solutions.map(({ name, version }) => [name, version])).toEqual([
      ['zoo', '2.0.0-rc.1'],
      ['app', '1.0.0'],
    ]);
    for (const [index, { components }] of asked.solutions.entries()) {
      const rendered = components.flatMap((one) => one.objects.map((object) => wordsOf(nameOf(object))));
      expect(broughtBy(solutions[index]!).sort()).toEqual(rendered.sort());
    }
  }
  expect(again.solutions.map(({ files }) => files)).toEqual(first.solutions.map(({ files }) => files));
  expect(again.solutions.flatMap((one) => one.objects.filter(({ action }) => action !== 'unchanged'))).toEqual([]);
}

function broughtBy({ files, objects }: AppliedSolution): string[] {
  const written = files.flatMap((file) => parseDocuments(readFileSync(file, 'utf8'), file));
  return [...written.map((object) => wordsOf(nameOf(object))), ...objects.map(({ object }) => object)];
}
