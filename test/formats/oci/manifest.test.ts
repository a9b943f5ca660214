import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { encodeJson } from '../../../formats/json.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import {
  childrenOf,
  encodeIndex,
  encodeManifest,
  MANIFEST_LIMIT,
  parseManifest,
} from '../../../formats/oci/manifest.ts';

const descriptor = (mediaType: string, seed: string) => ({ mediaType, digest: sha256(seed), size: seed.length });
const config = descriptor(mediaTypes.config, 'config');
const layers = [descriptor(mediaTypes.layer, 'one'), descriptor(mediaTypes.layerGzip, 'two')];
const manifest = { schemaVersion: 2, config, layers };
const index = { schemaVersion: 2, manifests: [descriptor(mediaTypes.manifest, 'm')] };
const code = (value: string) => expect.objectContaining({ name: 'FormatError', code: value });

describe('a manifest', () => {
  test('is read as it was written, and refers to its config and layers', () => {
    const value = parseManifest(
      encodeManifest({ artifactType: 'application/x', config, layers, annotations: { a: 'b' } }),
    );
    expect(value).toMatchObject({
      kind: 'manifest',
      mediaType: mediaTypes.manifest,
      artifactType: 'application/x',
      annotations: { a: 'b' },
    });
    expect(childrenOf(value)).toEqual([config, ...layers]);
  });

  test('is written the same way in every version of this project', () => {
    expect(Buffer.from(encodeManifest({ config, layers: [] })).toString()).toBe(
      `{"schemaVersion":2,"mediaType":"${mediaTypes.manifest}","config":{"mediaType":"${mediaTypes.config}","digest":"${config.digest}","size":6},"layers":[]}`,
    );
    expect(Buffer.from(encodeIndex({ manifests: [] })).toString()).toBe(
      `{"schemaVersion":2,"mediaType":"${mediaTypes.index}","manifests":[]}`,
    );
  });

  test('takes its media type from its descriptor where it does not say it', () => {
    expect(parseManifest(encodeJson(manifest), mediaTypes.dockerManifest).mediaType).toBe(mediaTypes.dockerManifest);
    expect(parseManifest(encodeJson(manifest)).mediaType).toBe(mediaTypes.manifest);
    expect(parseManifest(encodeJson(index), mediaTypes.dockerList).mediaType).toBe(mediaTypes.dockerList);
    expect(parseManifest(encodeJson(index)).mediaType).toBe(mediaTypes.index);
  });

  test('may be an index, which refers to its manifests', () => {
    const value = parseManifest(encodeIndex({ manifests: index.manifests, artifactType: 'application/x' }));
    expect(value).toMatchObject({ kind: 'index', artifactType: 'application/x', annotations: {} });
    expect(childrenOf(value)).toEqual(index.manifests);
  });
});

describe('a manifest is refused that', () => {
  const refused: [string, string, unknown, string?][] = [
    ['is of schema 1', 'schema1-manifest', { schemaVersion: 1, fsLayers: [] }],
    ['is of a schema to come', 'manifest-invalid', { ...manifest, schemaVersion: 3 }],
    ['has no schema', 'manifest-invalid', { config, layers }],
    ['is both a manifest and an index', 'manifest-invalid', { ...manifest, ...index }],
    ['is an index with layers', 'manifest-invalid', { ...index, layers }],
    ['is neither', 'manifest-invalid', { schemaVersion: 2 }],
    ['has no config', 'manifest-invalid', { schemaVersion: 2, layers }],
    ['has no layers', 'manifest-invalid', { schemaVersion: 2, config }],
    ['says it is an index', 'manifest-invalid', { ...manifest, mediaType: mediaTypes.index }],
    [
      'says it is something else than its descriptor',
      'manifest-invalid',
      { ...manifest, mediaType: mediaTypes.manifest },
      mediaTypes.dockerManifest,
    ],
    ['was named an index', 'manifest-invalid', manifest, mediaTypes.index],
    ['was named a layer', 'manifest-invalid', manifest, mediaTypes.layer],
    ['has a layer without a digest', 'manifest-invalid', { ...manifest, layers: [{ mediaType: '', size: 1 }] }],
  ];
  test.for(refused)('%s', ([, expected, value, mediaType]) => {
    expect(() => parseManifest(encodeJson(value), mediaType)).toThrow(code(expected));
  });

  test('has more than 4 MiB', () => {
    expect(() => parseManifest(new Uint8Array(MANIFEST_LIMIT + 1))).toThrow(code('manifest-too-large'));
  });

  test('was damaged, and never with another error', () => {
    const original = encodeManifest({ config, layers });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: original.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 }),
        fc.nat({ max: original.length }),
        (edits, length) => {
          const bytes = Uint8Array.from(original);
          for (const [at, value] of edits) bytes[at] = value;
          try {
            childrenOf(parseManifest(bytes.subarray(0, length)));
          } catch (error) {
            if (!(error instanceof FormatError)) throw error;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
