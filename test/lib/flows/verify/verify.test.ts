import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { encodeIndex } from '../../../../formats/oci/manifest.ts';
import { type Verification, verify } from '../../../../lib/flows/verify/index.ts';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import {
  type Archive,
  beginArchive,
  carriers,
  openArchive,
  readCatalog,
} from '../../../../lib/parts/archives/index.ts';
import { generateKey, loadPrivateKey, loadPublicKey, trustInKeys } from '../../../../lib/parts/trust/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

const folder = scratch('verify');
const good = join(folder, 'good.iso');

beforeAll(async () => {
  await smallSolution(folder);
  await packHere(join(folder, 'solution.toml'), good);
  const { privatePem, publicPem } = generateKey('ed25519');
  writeFileSync(join(folder, 'k.key'), privatePem);
  writeFileSync(join(folder, 'k.pub'), publicPem);
});

/** Writes the content of an archive anew, under another root that was signed as well. */
async function rewritten(root: (archive: Archive) => Uint8Array): Promise<Verification> {
  await using archive = await openArchive(good);
  const bytes = root(archive);
  const catalog = await readCatalog(bytes, archive.source);
  const path = join(folder, 'other.iso');
  const signature = await signRoot(bytes, await loadPrivateKey(join(folder, 'k.key')));
  await using writer = await beginArchive(path, catalog, carriers.iso, { bundles: [signature] });
  await copy([catalog.contents.map((descriptor) => ({ descriptor, source: archive.source }))], writer);
  await writer.commit();
  return verify({ archive: path, trust: trustInKeys([await loadPublicKey(join(folder, 'k.pub'))], 0) }, testFlow());
}

function withAnnotations({ catalog }: Archive, change: Record<string, string>): Uint8Array {
  const { artifactType, manifests, annotations } = catalog.index;
  return encodeIndex({ artifactType: artifactType!, manifests, annotations: { ...annotations, ...change } });
}

test('a whole archive is counted to its last byte', async () => {
  const flow = testFlow();
  await verify({ archive: good, trust: undefined }, flow);
  const { size } = statSync(good);
  expect(flow.events.findLast(({ type }) => type === 'progress')).toMatchObject({ done: size, total: size });
});

test('a root that was written and signed anew without a change verifies', async () => {
  expect(await rewritten((archive) => withAnnotations(archive, {}))).toMatchObject({ ok: true, trusted: true });
});

test.each([
  ['another name', { 'io.solpack.solution.name': 'other' }],
  ['another version', { 'io.solpack.solution.version': '9.9.9' }],
  ['other sums', { 'io.solpack.sha256sums.views': `sha256:${'0'.repeat(64)}` }],
])('a root that claims %s than what it refers to is a finding, however well it is signed', async (_, change) => {
  const { ok, trusted, findings } = await rewritten((archive) => withAnnotations(archive, change));
  expect([ok, trusted]).toEqual([false, true]);
  expect(findings.map(({ code }) => code)).toEqual(['root-invalid']);
});

test('a blob that the root needs but that is damaged leaves the rest checked by its digests', async () => {
  await using archive = await openArchive(good);
  const manifest = archive.catalog.manifests[0]!;
  const entry = await archive.tree.lookup(`blobs/sha256/${manifest.descriptor.digest.slice(7)}`);
  const bytes = Buffer.from(await collect(archive.source.open(manifest.descriptor), 1e6));
  const whole = readFileSync(good);
  whole[entry!.extents[0]!.offset + (bytes.length >> 1)]! ^= 1;
  const path = join(folder, 'damaged.iso');
  writeFileSync(path, whole);
  const { findings } = await verify({ archive: path, trust: undefined }, testFlow());
  expect(findings.map(({ code }) => code)).toEqual(['root-invalid', 'blob-mismatch']);
  expect(findings[1]!.subject).toBe(manifest.descriptor.digest);
});
