import { expect, test } from 'vitest';
import { imagesListed } from '../../../../lib/parts/node-images/ctr.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test('what ctr lists is read with its labels', () => {
  const text = `REF TYPE DIGEST SIZE PLATFORMS LABELS\nexample.com/a:1 application/vnd.oci.image.index.v1+json ${digest} 1.2 MiB linux/amd64,linux/arm64 io.cri-containerd.pinned=pinned,solpack.for.edge=2 \nb:1 t ${digest} 0.0 B - - \n`;
  expect(imagesListed(text)).toEqual([
    {
      name: 'example.com/a:1',
      digest,
      labels: new Map([
        ['io.cri-containerd.pinned', 'pinned'],
        ['solpack.for.edge', '2'],
      ]),
    },
    { name: 'b:1', digest, labels: new Map() },
  ]);
});

test('lines that list no image are passed over', () => {
  for (const text of ['', '\n', 'REF TYPE DIGEST', 'a b sha256:1', `a\t${digest}`])
    expect(imagesListed(text)).toEqual([]);
});
