import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { blobPath } from '../../../../formats/oci/layout.ts';
import { openArchive } from '../../../../lib/parts/archives/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('order');

/** Whether a layer has no place of its own near the beginning, as `manifest.yaml` has in an ISO. */
function isFree({ annotations }: Descriptor): boolean {
  return annotations?.['org.opencontainers.image.title'] !== 'manifest.yaml';
}

test.each(['.iso', '.tar'])('what inspect reads lies before all layers (%s)', async (extension) => {
  await smallSolution(folder);
  const path = join(folder, `small${extension}`);
  await packHere(join(folder, 'solution.toml'), path);
  await using archive = await openArchive(path);
  const { manifests } = archive.catalog;
  const offsetOf = async (digest: string): Promise<number> => {
    const entry = await archive.tree.lookup(blobPath(digest as `sha256:${string}`));
    return entry!.extents[0]!.offset;
  };
  const offsets = (digests: readonly string[]): Promise<number[]> => Promise.all(digests.map(offsetOf));
  const values = manifests.flatMap(({ value }) => (value.kind === 'manifest' ? [value] : []));
  const [first, second, third] = [
    await offsets(manifests.map(({ descriptor }) => descriptor.digest)),
    await offsets(values.map(({ config }) => config.digest)),
    await offsets(values.flatMap(({ layers }) => layers.filter(isFree).map(({ digest }) => digest))),
  ];
  expect(first.length).toBeGreaterThan(4);
  expect(Math.max(...first)).toBeLessThan(Math.min(...second));
  expect(Math.max(...second)).toBeLessThan(Math.min(...third));
});
