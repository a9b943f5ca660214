import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect } from '../../formats/bytes.ts';
import { fillSlot } from '../../formats/sigstore/slot.ts';
import { loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { namedIn, occurrences } from '../../scripts/fuzz/documents.ts';
import { withArchive } from '../support/packing.ts';
import { signRoot } from '../support/sign-root.ts';
import { seal } from '../support/tar.ts';
import { entriesOf } from './forge-tar.ts';
import { cut, placesIn } from './slots.ts';
import type { Format, Stage } from './stage.ts';

/**
 * The bytes of a good archive whose JSON documents `change` has changed, with every digest above them right again, and
 * signed by `release`: the archive of somebody who has its key, or whom its owner trusted once too often. A document
 * keeps its size: spaces fill what is left.
 */
export async function resigned(stage: Stage, format: Format, change: (json: string) => string): Promise<Buffer> {
  const path = join(stage.folder, `good.${format}`);
  const good = readFileSync(path);
  const bytes = Buffer.from(good);
  const documents = await withArchive(path, async ({ catalog, source }) => {
    const { solutionBlobs, imageBlobs, manifests, root } = catalog;
    const inJson = [...solutionBlobs, ...imageBlobs].filter(({ mediaType }) => mediaType.endsWith('+json'));
    const inOrder = [...inJson, ...manifests.map(({ descriptor }) => descriptor), root];
    return Promise.all(
      inOrder.map(async (descriptor) => ({
        places: occurrences(bytes, await collect(source.open(descriptor), descriptor.size)),
        size: descriptor.size,
        named: namedIn(bytes, descriptor.digest.slice('sha256:'.length)),
      })),
    );
  });
  for (const { places, size, named } of documents) {
    const before = bytes.toString('utf8', places[0]!, places[0]! + size);
    const after = Buffer.alloc(size, ' ');
    const text = change(before);
    if (text.length > size) throw new Error(`a document of ${size} bytes has no room for ${text.length}`);
    after.write(text);
    for (const place of places) bytes.set(after, place);
    const hex = createHash('sha256').update(after).digest('hex');
    for (const { at, wide } of named) bytes.set(wide ? Buffer.from(hex, 'utf16le').swap16() : Buffer.from(hex), at);
  }
  // The names in the headers of a tar archive have digests too.
  if (format === 'tar') for (const { header } of entriesOf(good)) seal(bytes.subarray(header, header + 512));
  const { slots, root } = await placesIn(stage, `good.${format}`);
  const bundle = await signRoot(cut(bytes, root), await loadPrivateKey(join(stage.folder, 'release.key')));
  cut(bytes, slots[0]).set(fillSlot(bundle, slots[0].size));
  return bytes;
}
