import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { collect, utf8 } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { encodeStatement } from '../../../../formats/in-toto/statement.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { type Descriptor, mediaTypes, noPlatform } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../../formats/oci/manifest.ts';
import { bundleMediaType } from '../../../../formats/sigstore/bundle.ts';
import { encodeStatementBundle } from '../../../../formats/sigstore/dsse-bundle.ts';
import { parseLock } from '../../../../formats/solution/lock.ts';
import { pack } from '../../../../lib/flows/pack/index.ts';
import { writeFiles } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { scratch } from '../../../support/judges.ts';
import { withArchive } from '../../../support/packing.ts';

const folder = scratch('sboms');
const cyclonedx = (note: string): string =>
  JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { note } });
const spdx = (name: string): string =>
  JSON.stringify({
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    dataLicense: 'CC0-1.0',
    name,
    documentNamespace: 'https://example.com/spdx',
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: test'] },
  });
const types = { spdx: 'https://spdx.dev/Document', cyclonedx: 'https://cyclonedx.org/bom' };

const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'sboms' });
const [amd64, arm64] = image.manifests as [Descriptor, Descriptor];
const blobs = new Map<Digest, Uint8Array>(image.blobs);
const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
  blobs.set(sha256(bytes), bytes);
  return { mediaType, digest: sha256(bytes), size: bytes.length };
};
const statement = (of: Descriptor, type: string, sbom: string): Uint8Array =>
  encodeStatement({ name: 'web', digest: of.digest }, type, utf8(sbom));

/** A manifest about `subject` with one layer. */
function about(
  subject: Descriptor | undefined,
  mediaType: string,
  bytes: Uint8Array,
  artifactType = 'x/y',
): Descriptor {
  const config = add(mediaTypes.empty, Buffer.from('{}'));
  const layers = [add(mediaType, bytes)];
  const plain = subject && { mediaType: subject.mediaType, digest: subject.digest, size: subject.size };
  const manifest = encodeManifest({ artifactType, config, layers, ...(plain ? { subject: plain } : {}) });
  return add(mediaTypes.manifest, manifest);
}

/** As `docker buildx --sbom` puts one into the index. */
const attached = about(undefined, 'application/vnd.in-toto+json', statement(amd64, types.spdx, spdx('buildkit')));
const index = add(
  mediaTypes.index,
  encodeIndex({
    manifests: [
      amd64,
      arm64,
      { ...attached, platform: noPlatform, annotations: { 'vnd.docker.reference.digest': amd64.digest } },
    ],
  }),
);

const envelope = (payload: Uint8Array): Uint8Array =>
  encodeJson({
    payloadType: 'application/vnd.in-toto+json',
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ sig: 'AAAA', keyid: '' }],
  });
const referrers = [
  about(index, 'application/vnd.cyclonedx+json', utf8(cyclonedx('attached'))),
  about(arm64, 'application/json', utf8(spdx('by artifact type')), 'application/spdx+json'),
  about(arm64, 'application/vnd.dsse.envelope.v1+json', envelope(statement(arm64, types.cyclonedx, cyclonedx('dsse')))),
  about(
    amd64,
    bundleMediaType,
    encodeStatementBundle({
      hint: 'AAAA',
      statement: statement(amd64, types.cyclonedx, cyclonedx('bundle')),
      signature: Buffer.from('x'),
    }),
  ),
  // None of these is an SBOM of what it is attached to.
  about(amd64, 'application/vnd.in-toto+json', statement(arm64, types.cyclonedx, cyclonedx('of another image'))),
  about(arm64, 'application/spdx+json', utf8('{"spdx":1}')),
  about(index, 'application/vnd.in-toto+json', statement(index, 'https://slsa.dev/provenance/v1', '{}')),
  // Types that every object of JavaScript has something under.
  ...['__defineGetter__', 'constructor', '__proto__'].map((type) => about(amd64, type, utf8(cyclonedx('a trap')))),
];

const definition = (lines: string, image: string): string => `name = "web"
version = "1.0.0"
${lines}

[[images]]
reference = "registry.example.com/team/web:1"
source = "oci:layout:web"
${image}`;

/** Packs `folder/name` and returns what its attestations say: name, subject, and something of the document. */
async function packed(name: string): Promise<[string, Digest | undefined, string][]> {
  await packHere(join(folder, name, 'solution.toml'), join(folder, `${name}.iso`));
  return withArchive(join(folder, `${name}.iso`), async ({ catalog, source }) => {
    const found: [string, Digest | undefined, string][] = [];
    for (const attestation of catalog.attestations) {
      const document = JSON.parse(Buffer.from(await collect(source.open(attestation.descriptor), 1e6)).toString());
      const word = document.metadata?.note ?? document.name ?? document.metadata?.component?.version ?? '';
      found.push([attestation.name, attestation.subject, word]);
    }
    return found;
  });
}

beforeAll(async () => {
  const empty = { blobs: new Map<Digest, Uint8Array>() };
  for (const name of ['found', 'given', 'made', 'bad']) {
    await writeLayout(join(folder, name, 'layout'), [
      { name: 'web', image: { index: name === 'made' ? image.index : index, blobs } },
      ...(name === 'made' ? [] : referrers).map((referrer) => ({ name: '', image: { index: referrer, ...empty } })),
    ]);
  }
});

describe('SBOMs of an image', () => {
  test('are found attached to it and to its platforms, in its index, as they are and in statements', async () => {
    writeFiles(join(folder, 'found'), { 'solution.toml': definition('', '') });
    const found = await packed('found');
    expect(found.slice(1).sort()).toEqual(
      [
        ['sbom-team-web-1-linux-amd64.cdx', amd64.digest, 'bundle'],
        ['sbom-team-web-1-linux-amd64.spdx', amd64.digest, 'buildkit'],
        ['sbom-team-web-1-linux-arm64.cdx', arm64.digest, 'dsse'],
        ['sbom-team-web-1-linux-arm64.spdx', arm64.digest, 'by artifact type'],
        ['sbom-team-web-1.cdx', index.digest, 'attached'],
      ].sort(),
    );
    expect(found[0]![0]).toBe('provenance');
  });

  test('that claim to be one and are none are told of, and come along as what they are', async () => {
    const flow = testFlow();
    const request = { created: undefined, lock: 'use', sign: undefined } as const;
    const connect = () => Promise.reject(new Error('this test has no registry'));
    const output = join(folder, 'told.tar');
    await pack({ definition: join(folder, 'found/solution.toml'), output, connect, ...request }, flow);
    const told = flow.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
    expect(told.filter((message) => message.includes(referrers[4]!.digest))).toEqual([
      expect.stringContaining(`is not about ${amd64.digest}`),
    ]);
    expect(told.filter((message) => message.includes(referrers[5]!.digest))).toEqual([
      expect.stringContaining('neither CycloneDX nor SPDX'),
    ]);
    expect(told).toHaveLength(2);
    await withArchive(output, ({ catalog }) => {
      expect(catalog.images[0]!.referrers).toHaveLength(referrers.length);
    });
  });

  test('are those that the definition names, which then are the only ones, and are locked', async () => {
    const lines = ['sbom = "solution.cdx.json"', 'sbom = "sboms/web.spdx.json"'] as const;
    writeFiles(join(folder, 'given'), {
      'solution.toml': definition(...lines),
      'solution.cdx.json': cyclonedx('solution'),
      'sboms/web.spdx.json': spdx('web'),
    });
    const found = await packed('given');
    expect(found.slice(1)).toEqual([
      ['sbom.cdx', undefined, 'solution'],
      ['sbom-team-web-1.spdx', index.digest, 'web'],
    ]);
    const lock = parseLock(readFileSync(join(folder, 'given/solution.lock')));
    expect(lock.sboms).toEqual([
      { path: 'solution.cdx.json', digest: sha256(cyclonedx('solution')) },
      { path: 'sboms/web.spdx.json', digest: sha256(spdx('web')) },
    ]);
    writeFiles(join(folder, 'given'), { 'sboms/web.spdx.json': spdx('another') });
    const locked = packHere(join(folder, 'given/solution.toml'), join(folder, 'x.tar'), { lock: 'locked' });
    await expect(locked).rejects.toMatchObject({
      code: 'lock-mismatch',
      message: expect.stringContaining('the SBOM sboms/web.spdx.json is'),
    });
  });

  test('are made of each platform that has none, where the definition asks for that', async () => {
    writeFiles(join(folder, 'made'), { 'solution.toml': definition('make-sboms = true', '') });
    const first = await packed('made');
    expect(first.slice(1)).toEqual([
      ['sbom-team-web-1-linux-amd64.cdx', amd64.digest, amd64.digest],
      ['sbom-team-web-1-linux-arm64.cdx', arm64.digest, arm64.digest],
    ]);
    writeFiles(join(folder, 'made'), { 'solution.toml': definition('make-sboms = ["spdx", "cyclonedx"]', '') });
    expect((await packed('made')).slice(1)).toEqual([
      ...first.slice(1, 2),
      ['sbom-team-web-1-linux-amd64.spdx', amd64.digest, 'registry.example.com/team/web:1'],
      ...first.slice(2),
      ['sbom-team-web-1-linux-arm64.spdx', arm64.digest, 'registry.example.com/team/web:1'],
    ]);
    writeFiles(join(folder, 'found'), { 'solution.toml': definition('make-sboms = true', '') });
    // The index has one.
    expect((await packed('found')).map(([name]) => name)).toHaveLength(6);
  });

  test.each([
    ['is not JSON', 'no', 'sbom-invalid'],
    ['is none', '{"a":1}', 'sbom-invalid'],
    ['is XML', '<bom/>', 'sbom-invalid'],
    ['begins with a byte order mark', `\ufeff${cyclonedx('x')}`, 'sbom-invalid'],
  ])('that the definition names and that %s are refused', async (_, text, code) => {
    writeFiles(join(folder, 'bad'), { 'solution.toml': definition('sbom = "it.json"', ''), 'it.json': text });
    const packing = packHere(join(folder, 'bad/solution.toml'), join(folder, 'bad.iso'));
    await expect(packing).rejects.toMatchObject({ code, subject: 'it.json' });
  });

  test.each([
    ['not there', 'none.json', 'file-missing'],
    ['outside of its folder', '../found/solution.toml', 'path-escapes'],
  ])('that the definition names and that are %s are refused', async (_, path, code) => {
    writeFiles(join(folder, 'bad'), { 'solution.toml': definition('', `sbom = "${path}"`) });
    await expect(packHere(join(folder, 'bad/solution.toml'), join(folder, 'bad.iso'))).rejects.toMatchObject({ code });
  });
});
