import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { succeeds } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import {
  type Content,
  clusterContent,
  differences,
  folderContent,
  historyOf,
  registryContent,
  withoutRecords,
} from '../support/killed/content.ts';
import { killedAt, type Moment, momentsOf } from '../support/killed/killing.ts';
import { imageFolder, type Scene, type Stage, scenes } from '../support/killed/scenes.ts';
import { packShop } from '../support/killed/shop.ts';
import { dockerRegistry } from '../support/registry.ts';
import { chance, isExhaustive, sampled, seed } from '../support/sample.ts';

// Commands are killed at moments of their own, and run again. The gate draws some commands and moments;
// SOLPACK_EXHAUSTIVE=1 has all of them tried, and more instants that chance chooses.

const folder = scratch('killed');
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

beforeAll(async () => {
  await packShop(folder);
});

interface Whole {
  readonly cluster: Content;
  readonly registry: Content;
  readonly mirrors: Content;
  readonly images: Content;
}

const unlike = (found: Whole, wanted: Whole): readonly string[] =>
  (['cluster', 'registry', 'mirrors', 'images'] as const).flatMap((part) => differences(found[part], wanted[part]));

const whole = async ({ plane: own, registry: { data } }: Stage): Promise<Whole> => ({
  cluster: await clusterContent(own),
  registry: registryContent(data),
  mirrors: folderContent(join(folder, 'certs.d')),
  images: folderContent(join(folder, imageFolder)),
});

function chosen(moments: readonly string[], duration: number): Moment[] {
  const random = chance(seed);
  const instants = Array.from({ length: isExhaustive ? 12 : 1 }, () => Math.round(random() * duration));
  return [...sampled(moments, 1), ...instants];
}

/** Kills a command at a moment, runs it again, and returns what is there then; expects that the history never lies. */
async function continued(scene: Scene, stage: Stage, moment: Moment, before: Content, after: Content): Promise<Whole> {
  const { kubeconfig } = stage.plane;
  await scene.prepare(stage);
  const args = await scene.args(stage);
  const { code, stderr } = await killedAt(moment, args, folder);
  expect([code === 0 || code === 137, stderr]).toEqual([true, expect.anything()]);
  const [newest] = await historyOf(kubeconfig, 'edge');
  const now = withoutRecords(await clusterContent(stage.plane));
  const isWhole = [before, after].some((one) => differences(now, one).length === 0);
  if (scene.isGeneration && newest!.state === 'ready' && !isWhole) {
    throw new Error(
      `half of two, and no history of it:\n${[before, after].map((one) => differences(now, one)).join('\n')}`,
    );
  }
  if (newest!.state !== 'ready') {
    expect(newest).toMatchObject({ state: 'interrupted', reason: 'its run ended before it was done' });
  }
  const again = await killedAt('', args, folder);
  expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('was killed')]);
  const states = (await historyOf(kubeconfig, 'edge')).map(({ state }) => state);
  expect([states[0], states.includes('applying')]).toEqual(['ready', false]);
  return whole(stage);
}

describe('a command that was killed', () => {
  for (const scene of sampled(scenes, 2)) {
    controlPlaneTest(
      `is completed by the same command, whenever it was: ${scene.name}`,
      async () => {
        const stage: Stage = { folder, plane: plane(), registry: await registry() };
        await scene.prepare(stage);
        // Where it begins is not where a new cluster does: kinds stay, and records.
        await succeeds([...(await scene.args(stage)), '--quiet'], { cwd: folder });
        await scene.prepare(stage);
        const before = withoutRecords(await clusterContent(stage.plane));
        const { moments, duration } = await momentsOf(await scene.args(stage), folder);
        const undisturbed = await whole(stage);
        if (process.env['SOLPACK_SHOW_MOMENTS']) console.log(moments.join('\n'), duration);
        const after = withoutRecords(undisturbed.cluster);
        for (const moment of chosen(moments, duration)) {
          const found = await continued(scene, stage, moment, before, after).catch((error) => error);
          const off = found instanceof Error ? found.message : unlike(found, undisturbed);
          expect([`seed ${seed}`, moment, off]).toEqual([`seed ${seed}`, moment, []]);
        }
      },
      isExhaustive ? 3_600_000 : 240_000,
    );
  }
});
