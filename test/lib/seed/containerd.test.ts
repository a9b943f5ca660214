import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { imageNames, pin } from '../../../lib/seed/containerd.ts';
import { ownContainerd } from '../../support/containerd.ts';
import { testFlow } from '../../support/flow.ts';
import { buildImage, writeLayout } from '../../support/image.ts';
import { judged, ok, scratch } from '../../support/judges.ts';

const folder = scratch('pin');
const containerd = ownContainerd(folder);
const reference = 'registry.example.com/infra/registry:3';
const image = buildImage({ seed: 'pinned' });
const { digest } = image.index;

describe('the images of a containerd', () => {
  judged('are found by their digest, and pinned by each of their names, once', ['containerd'], async () => {
    const { address, ctr } = await containerd();
    const layout = join(folder, 'layout');
    await writeLayout(layout, [{ name: reference, image }]);
    await ok('tar', ['-C', layout, '-cf', join(folder, 'image.tar'), '.']);
    await ctr('images', 'import', '--no-unpack', '--index-name', reference, join(folder, 'image.tar'));
    const [first] = await imageNames(address, digest, { unpinned: false }, testFlow());
    await ctr('images', 'tag', first!, `registry.example.com/infra/registry@${digest}`);
    const names = await imageNames(address, digest, { unpinned: true }, testFlow());
    expect(names).toHaveLength(2);
    await pin(address, names, testFlow());
    expect(await imageNames(address, digest, { unpinned: true }, testFlow())).toEqual([]);
    expect(await imageNames(address, digest, { unpinned: false }, testFlow())).toEqual(names);
    const labels = await ctr('images', 'ls', `target.digest=="${digest}"`);
    expect(labels.match(/io\.cri-containerd\.pinned=pinned/g)).toHaveLength(2);
    const other = `sha256:${'0'.repeat(64)}`;
    expect(await imageNames(address, other, { unpinned: false }, testFlow())).toEqual([]);
  });

  judged('are not found where nobody listens, which is told in one line', ['containerd'], async () => {
    await containerd();
    const nobody = join(folder, 'nobody.sock');
    writeFileSync(nobody, '');
    await expect(imageNames(nobody, digest, { unpinned: false }, testFlow())).rejects.toMatchObject({
      code: 'tool-failed',
      subject: nobody,
      message: expect.stringMatching(/^ctr images ls: [^\n]+$/),
    });
  });

  test('are not asked for where there is no ctr', async () => {
    const without = { ...testFlow(), host: { path: [folder], temp: folder } };
    await expect(imageNames('/none', digest, { unpinned: false }, without)).rejects.toMatchObject({
      code: 'tool-missing',
    });
  });
});
