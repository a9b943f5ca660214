import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../../formats/oci/manifest.ts';
import { inspect } from '../../../../lib/flows/inspect/index.ts';
import { Content } from '../../../../lib/flows/pack/content.ts';
import { buildRoot } from '../../../../lib/flows/pack/root.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { carriers, planArchive, readCatalog } from '../../../../lib/parts/archives/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('inspect');
const GIB = 1024 ** 3;
const usual = { select: 'sparse', referrers: true, foreignLayers: 'refuse', keep: false, sbom: undefined } as const;

/** An archive with one layer of 100 GiB, of which the disk holds only what is not that layer. */
async function giant(path: string, kind: 'iso' | 'tar'): Promise<void> {
  const content = new Content();
  const { signal } = testFlow();
  const config = content.addBytes(Buffer.from('{"os":"linux","architecture":"amd64"}'), mediaTypes.config, 'config');
  const layer: Descriptor = { mediaType: mediaTypes.layer, digest: sha256('a very long layer'), size: 100 * GIB };
  const manifest = encodeManifest({ config, layers: [layer] });
  const descriptor = content.addBytes(manifest, mediaTypes.manifest, 'image');
  const closure = await closureOf(new Manifests(content), descriptor, { signal });
  content.addClosure(closure, content);
  const image = { reference: 'registry.example.com/giant:1', source: 'oci:x', platforms: undefined, ...usual };
  const definition = {
    name: 'giant',
    version: '1.0.0',
    sequence: undefined,
    created: undefined,
    expires: undefined,
    description: undefined,
    annotations: {},
    operator: undefined,
    sbom: undefined,
    makeSboms: [],
    kubernetes: undefined,
    externalImages: [],
    upgrade: undefined,
    images: [image],
    components: [],
  };
  const images = [
    {
      definition: image,
      descriptor,
      published: descriptor,
      leftOut: [],
      closure,
      referrers: [],
      foreign: undefined,
      source: {
        ...content,
        open: content.open.bind(content),
        resolve: async () => descriptor,
        close: async () => undefined,
      },
    },
  ];
  const root = await buildRoot(
    { definition, images, components: [], created: 0, given: [], attestations: [] },
    content,
    signal,
  );
  const catalog = await readCatalog(root, content, signal);
  const { files, layout } = planArchive(catalog, carriers[kind]);
  const file = openSync(path, 'w');
  ftruncateSync(file, layout.size);
  for (const segment of layout.segments) {
    if (segment.kind === 'meta') {
      if (!segment.name.startsWith('padding')) writeSync(file, segment.bytes(), 0, segment.size, segment.offset);
      continue;
    }
    const known = files.find(({ key }) => key === segment.key)?.content;
    if (known?.kind === 'bytes') writeSync(file, known.bytes, 0, segment.size, segment.offset);
    if (known?.kind === 'slot') writeSync(file, Buffer.alloc(segment.size, '\n'), 0, segment.size, segment.offset);
    if (known?.kind === 'blob' && known.descriptor.size < GIB) {
      const bytes = await collect(content.open(known.descriptor), GIB);
      writeSync(file, bytes, 0, segment.size, segment.offset);
    }
  }
  closeSync(file);
}

test.each(['iso', 'tar'] as const)(
  'an archive of 100 GiB (%s) is inspected without reading its payload',
  async (kind) => {
    const path = join(folder, `giant.${kind}`);
    await giant(path, kind);
    const result = await inspect(path, testFlow());
    expect(result).toMatchObject({
      name: 'giant',
      carrier: kind,
      images: [{ platforms: ['linux/amd64'] }],
      signatures: [],
    });
    expect(result.size).toBeGreaterThan(100 * GIB);
    expect(result.images[0]!.size).toBeGreaterThan(100 * GIB);
  },
);
