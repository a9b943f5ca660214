import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { downgradesOf } from '../../../../lib/flows/install/downgrades.ts';
import { embeddedRegistry, install } from '../../../../lib/flows/install/index.ts';
import type { InstalledSolution } from '../../../../lib/flows/install/request.ts';
import type { InventoryEntry } from '../../../../lib/parts/clusters/index.ts';
import { targetOver } from '../../../../lib/parts/clusters/kubernetes/target.ts';
import { writeFiles } from '../../../support/cli.ts';
import { prompt } from '../../../support/cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from '../../../support/cluster/index.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('downgrades');

/** Packs a version of a Solution of one ConfigMap, and returns the configuration that names it alone. */
async function packed(version: string, sequence?: number): Promise<string> {
  const at = join(folder, `${version}-${sequence}`);
  writeFiles(at, {
    'solution.toml': `name = "shop"
version = "${version}"
${sequence === undefined ? '' : `sequence = ${sequence}\n`}[[components]]
name = "web"
kind = "manifests"
path = "map.yaml"
`,
    'map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {version: "${version}"}\n`,
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: shop, archives: [shop.iso]}]
`,
  });
  await packHere(join(at, 'solution.toml'), join(at, 'shop.iso'));
  return join(at, 'solutions.yaml');
}

interface Told {
  readonly solution: InstalledSolution;
  /** What is told of a lower version, with the version in the cluster at that moment. */
  readonly notices: readonly { readonly message: string; readonly there: unknown }[];
}

async function installs(configuration: string, memory: MemoryCluster): Promise<Told> {
  const flow = testFlow();
  const notices: { message: string; there: unknown }[] = [];
  await using cluster = targetOver('memory', async () => memory.connect(), {
    timing: { ...prompt, lease: 30 },
    force: false,
  });
  const { solutions } = await install(
    {
      configuration,
      trust: 'skip',
      delivery: embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false }),
      hostsDir: undefined,
      cluster,
      timeout: 5_000,
      variables: {},
      allowMissingImages: false,
      test: false,
      strict: false,
    },
    {
      ...flow,
      onEvent: (event) => {
        if (event.type !== 'notice' || !event.message.includes('is a downgrade')) return;
        notices.push({ message: event.message, there: mapIn(memory) });
      },
    },
  );
  return { solution: solutions[0]!, notices };
}

const mapIn = (memory: MemoryCluster): unknown =>
  memory.objects().find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'web')?.['data'];

describe('a lower version than the cluster has', () => {
  test('is reported before anything is changed, and in the result, where there is no sequence', async () => {
    const memory = memoryCluster();
    expect(await installs(await packed('1.1.0'), memory)).toMatchObject({
      notices: [],
      solution: { downgraded: false },
    });
    const down = await installs(await packed('1.0.0'), memory);
    expect(down.notices).toEqual([
      {
        message:
          'is a downgrade from 1.1.0, which the cluster has, to 1.0.0; it has no sequence, so nothing refuses the downgrade',
        there: { version: '1.1.0' },
      },
    ]);
    expect(down.solution).toMatchObject({ version: '1.0.0', downgraded: true });
    expect(mapIn(memory)).toEqual({ version: '1.0.0' });
    const again = await installs(join(folder, '1.0.0-undefined/solutions.yaml'), memory);
    expect(again).toMatchObject({ notices: [], solution: { downgraded: false } });
  });

  test('is left to trust where there is a sequence', async () => {
    const memory = memoryCluster();
    await installs(await packed('2.0.0', 2), memory);
    const down = await installs(await packed('1.5.0', 1), memory);
    expect(down).toMatchObject({ notices: [], solution: { downgraded: false } });
  });

  test('is none of a Solution that was removed, or whose version is none of SemVer', () => {
    const metadata = { name: 'shop', version: '1.0.0', sequence: undefined };
    const archive = { path: 'shop.iso', catalog: { metadata } } as never;
    const placement = { part: 'whole', environment: null } as never;
    const entry: InventoryEntry = {
      name: 'shop',
      version: '2.0.0',
      root: undefined,
      configuration: 'default',
      state: 'ready',
    };
    const found = (more: Partial<InventoryEntry>): number =>
      downgradesOf([{ archive, placement }], [{ ...entry, ...more }]).length;
    expect([found({}), found({ state: 'applying' })]).toEqual([1, 1]);
    expect([found({ state: 'removed' }), found({ version: 'components.d' }), found({ name: 'other' })]).toEqual([
      0, 0, 0,
    ]);
    expect([found({ version: '1.0.0+other' }), found({ version: '1.0.0-rc.1' })]).toEqual([0, 0]);
  });
});
