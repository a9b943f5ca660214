import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DeliveryMeans } from '../../../../lib/flows/install/delivery/delivery.ts';
import { pinStep } from '../../../../lib/flows/seed/pin-step.ts';
import type { Flow } from '../../../../lib/kernel/events/flow.ts';
import { ownContainerd } from '../../../support/containerd.ts';
import { testFlow } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';

const folder = scratch('pin');
const containerd = ownContainerd(folder);
const reference = 'registry.example.com/infra/registry:3';
const image = buildImage({ seed: 'pinned' });
const { digest } = image.index;
const here = { reference, digest };

function stepAt(address: string, flow: Flow = testFlow()) {
  const step = pinStep('registry', address);
  const planned = (images: readonly (typeof here)[]) => ({ subject: address, inputs: { containerd: address, images } });
  const means = { flow } as DeliveryMeans & { flow: Flow };
  return {
    pins: async (...images: (typeof here)[]) =>
      (await step.foresee!(planned(images) as never, means as never)).actions.map(({ subject }) => subject),
    run: async (...images: (typeof here)[]) => step.run(planned(images) as never, means as never),
  };
}

describe('the images of the Solution that brings the registry', () => {
  judged('are found by their digest, and pinned by each of their names, once', ['containerd'], async () => {
    const { address, ctr } = await containerd();
    const layout = join(folder, 'layout');
    await writeLayout(layout, [{ name: reference, image }]);
    await ok('tar', ['-C', layout, '-cf', join(folder, 'image.tar'), '.']);
    await ctr('images', 'import', '--no-unpack', '--index-name', reference, join(folder, 'image.tar'));
    const names = [reference, `registry.example.com/infra/registry@${digest}`];
    await ctr('images', 'tag', ...names);
    const flow = testFlow();
    const { pins, run } = stepAt(address, flow);
    const other = { reference: 'registry.example.com/infra/other:1', digest: `sha256:${'0'.repeat(64)}` as const };
    expect(await pins(here, other)).toEqual(names);
    expect(flow.events).toEqual([expect.objectContaining({ type: 'notice', subject: other.reference })]);
    await run(here);
    expect(await pins(here)).toEqual([]);
    const labels = await ctr('images', 'ls', `target.digest=="${digest}"`);
    expect(labels.match(/io\.cri-containerd\.pinned=pinned/g)).toHaveLength(2);
    await expect(run(other)).rejects.toMatchObject({ code: 'image-missing', subject: address });
  });

  judged('are not found where nobody listens, which is reported in one line', ['containerd'], async () => {
    await containerd();
    const nobody = join(folder, 'nobody.sock');
    writeFileSync(nobody, '');
    await expect(stepAt(nobody).run(here)).rejects.toMatchObject({
      code: 'tool-failed',
      subject: 'ctr images ls',
      message: expect.stringMatching(/^[^\n]+$/),
    });
  });

  test('are not asked for where there is no ctr', async () => {
    const without = { ...testFlow(), host: { path: [folder], temp: folder } };
    await expect(stepAt('/none', without).run(here)).rejects.toMatchObject({ code: 'tool-missing' });
  });
});
