import { join } from 'node:path';
import { expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { parseDefinition } from '../../../../formats/solution/definition.ts';
import { openComponentSources } from '../../../../lib/flows/pack/component-sources.ts';
import { resolveComponent } from '../../../../lib/flows/pack/components.ts';
import { Content } from '../../../../lib/flows/pack/content.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';
import { configMap, plant } from '../../parts/components/support.ts';

const folder = scratch('pack-components');

/** The metadata and the digest of a component of one manifest, with more lines in its definition. */
async function resolved(more: string): Promise<{ metadata: unknown; digest: string }> {
  const root = plant(folder, { 'map.yaml': configMap('map') });
  const head = 'name = "a"\nversion = "1.0.0"\n\n[[components]]\nname = "web"\nkind = "manifests"\npath = "map.yaml"\n';
  const [definition] = parseDefinition(utf8(head + more)).components;
  const from = {
    definition: join(root, 'solution.toml'),
    lock: undefined,
    mode: 'use',
    connections: undefined,
    keeps: true,
  } as const;
  return resolveComponent(definition!, openComponentSources(from, testFlow()), new Content(), testFlow());
}

test('the timeout of a component goes into its metadata, in seconds', async () => {
  expect((await resolved('timeout = "1h30m"\n')).metadata).toMatchObject({ name: 'web', timeout: 5400 });
});

test('a component without a timeout has the metadata it always had', async () => {
  const { metadata } = await resolved('');
  expect(Object.keys(metadata as object).sort()).toEqual(['after', 'entry', 'kind', 'name', 'values']);
});

test('a timeout changes nothing of what a component consists of', async () => {
  expect((await resolved('timeout = "90s"\n')).digest).toBe((await resolved('')).digest);
});
