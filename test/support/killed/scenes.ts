import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { succeeds } from '../cli.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { DockerRegistry } from '../registry.ts';
import { historyOf } from './content.ts';
import type { Version } from './shop.ts';

/** Where commands are run: a folder with what `packShop` makes, a cluster and a registry. */
export interface Stage {
  readonly folder: string;
  readonly plane: ControlPlane;
  readonly registry: DockerRegistry;
}

/** A command, and what it begins with. */
export interface Scene {
  readonly name: string;
  /** Brings the stage to where the command begins, wherever it is. */
  prepare(stage: Stage): Promise<void>;
  /** Whether the history tells while it is done in part; what drifted is a mixture before it is repaired. */
  readonly isGeneration: boolean;
  /** The command; it ends well. */
  args(stage: Stage): Promise<readonly string[]> | readonly string[];
}

/** The arguments of an install of a version of the shop. */
export function installing({ plane, registry }: Stage, version: Version): readonly string[] {
  return [
    ...['install', '-f', `edge-${version}.yaml`, '--key', 'k.pub', '--trust-state', 'state', '--hosts-dir', 'certs.d'],
    ...['--registry', registry.url, '--kubeconfig', plane.kubeconfig, '--timeout', '30s'],
  ];
}

async function installed(stage: Stage, version: Version): Promise<void> {
  await succeeds([...installing(stage, version), '--quiet'], { cwd: stage.folder });
}

/** Where images are put that a node imports from a folder. */
export const imageFolder = 'node/images';

/** Forgets all that was delivered and remembered outside of the cluster. */
function emptied({ folder, registry }: Stage): void {
  const files = ['certs.d', 'state', dirname(imageFolder)].map((name) => join(folder, name));
  for (const path of [join(registry.data, 'docker'), ...files]) {
    rmSync(path, { recursive: true, force: true });
  }
}

const upgrade: Scene = {
  name: 'install --registry',
  isGeneration: true,
  prepare: async (stage) => {
    emptied(stage);
    await installed(stage, '1.0.0');
  },
  args: (stage) => installing(stage, '2.0.0'),
};

const isOlder = ({ state, solutions }: Awaited<ReturnType<typeof historyOf>>[number]): boolean =>
  state === 'ready' && solutions[0]?.version === '1.0.0';

const rollback: Scene = {
  name: 'rollback',
  isGeneration: true,
  prepare: async (stage) => {
    const known = await historyOf(stage.plane.kubeconfig, 'edge').catch(() => []);
    if (!known.some(isOlder)) await installed(stage, '1.0.0');
    await installed(stage, '2.0.0');
  },
  args: async ({ plane: { kubeconfig } }) => {
    const older = (await historyOf(kubeconfig, 'edge')).find(isOlder);
    return ['rollback', String(older!.number), '--name', 'edge', '--kubeconfig', kubeconfig, '--timeout', '30s'];
  },
};

const uninstall: Scene = {
  name: 'uninstall',
  isGeneration: true,
  prepare: (stage) => installed(stage, '2.0.0'),
  args: ({ plane }) => ['uninstall', 'edge', '--kubeconfig', plane.kubeconfig, '--timeout', '30s'],
};

const repair: Scene = {
  name: 'repair',
  isGeneration: false,
  prepare: async (stage) => {
    const { kubectl } = stage.plane;
    await installed(stage, '2.0.0');
    await kubectl('delete', '-n', 'shop', 'configmap/only-2.0.0', 'secret/fixed');
    await kubectl('patch', '-n', 'shop', 'configmap/settings', '-p', '{"data":{"version":"drifted"}}');
    const drifted = '{"spec":{"version":"drifted"}}';
    await kubectl('patch', '-n', 'shop', 'carts.shop.example.com/cart', '--type=merge', '-p', drifted);
  },
  args: ({ plane }) => ['repair', 'edge', '--kubeconfig', plane.kubeconfig, '--timeout', '30s'],
};

/** The images of both versions are in the folder, and nothing is in the registry. */
const seed: Scene = {
  name: 'seed',
  isGeneration: true,
  prepare: async (stage) => {
    emptied(stage);
    const { folder, plane } = stage;
    const to = ['--image-folder', `k3s:${imageFolder}`, '--kubeconfig', plane.kubeconfig, '--timeout', '30s'];
    for (const version of ['1.0.0', '2.0.0']) {
      const whom = ['--key', 'k.pub', '--trust-state', 'state', '--allow-downgrade', '--quiet'];
      await succeeds(['install', '-f', `edge-${version}.yaml`, ...whom, ...to], { cwd: folder });
    }
  },
  args: (stage) => {
    const [, ...handed] = installing(stage, '2.0.0');
    return ['seed', 'shop', ...handed, '--image-folder', `k3s:${imageFolder}`];
  },
};

/** All commands that change a cluster. */
export const scenes: readonly Scene[] = [upgrade, rollback, uninstall, repair, seed];
