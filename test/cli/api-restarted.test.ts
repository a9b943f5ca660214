import { beforeAll, describe, expect } from 'vitest';
import { succeeds } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { clusterContent, differences, historyOf } from '../support/killed/content.ts';
import { beginning } from '../support/killed/killing.ts';
import { type Stage, scenes } from '../support/killed/scenes.ts';
import { packShop } from '../support/killed/shop.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('api-restarted');
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

beforeAll(async () => {
  await packShop(folder);
});

describe('an API server that is killed and started again in the middle', () => {
  for (const scene of scenes) {
    controlPlaneTest(`is waited for: ${scene.name}`, async () => {
      const stage: Stage = { folder, plane: plane(), registry: await registry() };
      await scene.prepare(stage);
      await succeeds([...(await scene.args(stage)), '--quiet'], { cwd: folder });
      await scene.prepare(stage);
      await succeeds([...(await scene.args(stage)), '--quiet'], { cwd: folder });
      const undisturbed = await clusterContent(stage.plane);
      await scene.prepare(stage);
      const run = beginning([...(await scene.args(stage)), '--progress', 'json'], folder, {
        SOLPACK_TEST_HALT: 'change 2',
      });
      await run.halts();
      await plane().restart(async () => run.goOn());
      const { code, stderr } = await run.ended;
      expect([code, stderr]).toEqual([0, expect.anything()]);
      expect(differences(await clusterContent(stage.plane), undisturbed)).toEqual([]);
      expect((await historyOf(stage.plane.kubeconfig, 'edge'))[0]?.state).toBe('ready');
    });
  }
});
