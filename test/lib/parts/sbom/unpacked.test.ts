import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../../formats/oci/manifest.ts';
import { writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { documentOf, layerOf, locationsOf } from '../../../support/layers.ts';
import { archive, entry } from '../../../support/tar.ts';

const folder = scratch('sbom-unpacked');

/** Folders, those above first, and what one layer may do with each name in them. */
const folders = [
  'app',
  'app/node_modules',
  'app/node_modules/a',
  'app/node_modules/b',
  'opt',
  'opt/node_modules',
  'opt/node_modules/a',
];
const does = fc.constantFrom('nothing', 'nothing', 'file', 'symlink', 'hardlink', 'folder', 'whiteout');
const treats = fc.constantFrom('enters', 'enters', 'names', 'opaque', 'opaque last', 'whiteout', 'file');
const layers = fc.array(
  fc.tuple(fc.array(treats, { minLength: 7, maxLength: 7 }), fc.array(does, { minLength: 7, maxLength: 7 })),
  { minLength: 2, maxLength: 5 },
);

/** A layer that no two runtimes read differently: what is whited out or a file has nothing else in it. */
function tarOf(treatments: readonly string[], deeds: readonly string[], made: Set<string>): Buffer {
  const closed: string[] = [];
  const entries = [entry('seed', { body: '{"name":"seed","version":"1.0.0"}' })];
  const last: Buffer[] = [];
  for (const [at, path] of folders.entries()) {
    if (closed.some((above) => path.startsWith(`${above}/`))) continue;
    const [treatment, deed] = [treatments[at]!, deeds[at]!];
    const beside = (name: string): string => path.replace(/[^/]*$/, name);
    if (treatment === 'whiteout') entries.push(entry(beside(`.wh.${path.split('/').at(-1)}`)));
    if (treatment === 'file') {
      made.add(path);
      entries.push(entry(path, { body: 'a file' }));
    }
    if (treatment === 'whiteout' || treatment === 'file') {
      closed.push(path);
      continue;
    }
    // What was a file has to be named as a folder before anything can be in it.
    if (treatment !== 'enters' || made.has(path)) entries.push(entry(`${path}/`, { type: '5' }));
    const opaque = entry(`${path}/.wh..wh..opq`);
    if (treatment === 'opaque') entries.push(opaque);
    if (treatment === 'opaque last') last.push(opaque);
    const file = `${path}/package.json`;
    if (deed === 'file') entries.push(entry(file, { body: `{"name":"${at}","version":"1.0.0"}` }));
    if (deed === 'symlink') entries.push(entry(file, { type: '2', link: '/seed' }));
    if (deed === 'hardlink') entries.push(entry(file, { type: '1', link: 'node_modules/seed/package.json' }));
    if (deed === 'folder') entries.push(entry(file, { type: '5' }));
    if (deed === 'whiteout') entries.push(entry(`${path}/.wh.package.json`));
  }
  const seed = entry('node_modules/seed/package.json', { body: '{"name":"seed","version":"1.0.0"}' });
  return archive(seed, ...entries, ...last);
}

async function write(path: string, tars: readonly Buffer[]): Promise<void> {
  const blobs = new Map<Digest, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const digest = sha256(bytes);
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const rootfs = { type: 'layers', diff_ids: tars.map(sha256) };
  const config = add(mediaTypes.config, encodeJson({ os: 'linux', architecture: 'amd64', config: {}, rootfs }));
  const layers = tars.map((tar) => add(mediaTypes.layerGzip, gzipSync(tar)));
  const index = add(mediaTypes.manifest, encodeManifest({ config, layers }));
  await writeLayout(path, [{ name: 'image', image: { index, blobs } }]);
}

judged(
  'the packages of an image are those whose files umoci leaves when it unpacks the layers',
  ['umoci'],
  async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(layers, async (all) => {
        run += 1;
        const made = new Set<string>();
        const tars = all.map(([treatments, deeds]) => tarOf(treatments, deeds, made));
        const [image, bundle] = [join(folder, `image-${run}`), join(folder, `bundle-${run}`)];
        await write(image, tars);
        await ok('umoci', ['unpack', '--rootless', '--image', `${image}:image`, bundle]);
        const left = await readdir(join(bundle, 'rootfs'), { recursive: true, withFileTypes: true });
        const files = left
          .filter((one) => one.isFile() && one.name === 'package.json')
          .map((one) => join(one.parentPath, one.name).slice(join(bundle, 'rootfs/').length))
          .filter((path) => /node_modules\/[^/]+\/package\.json$/.test(path));
        const document = await documentOf(tars.map((tar) => layerOf(tar)));
        expect(locationsOf(document)).toEqual(files.sort());
      }),
      { numRuns: 25, seed: 5 },
    );
  },
);
