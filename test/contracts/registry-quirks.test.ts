import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { once } from '../../formats/bytes.ts';
import { sha256 } from '../../formats/digest.ts';
import { encodeJson } from '../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../formats/oci/manifest.ts';
import { copy } from '../../lib/kernel/content/copy.ts';
import { groupsOf } from '../lib/parts/registries/faults.ts';
import { solpack, succeeds } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { find, judged, scratch } from '../support/judges.ts';
import { openRepository } from '../support/open-repository.ts';
import { connectPlainly, writeDefinition } from '../support/packing.ts';
import { type Quirks, quirky } from '../support/quirks.ts';
import { dockerRegistry, sampleImage } from '../support/registry.ts';
import { s3Store } from '../support/s3.ts';

// What registries do that the specification does not ask of them, each before a real Distribution.

const folder = scratch('registry-quirks');
const cwd = folder;
const upstream = dockerRegistry(folder);
const s3 = s3Store(folder);
const stored = dockerRegistry(folder, { program: 'registry', s3 });
const image = sampleImage('quirks', 1000);
const empty = { mediaType: mediaTypes.empty, digest: sha256('{}'), size: 2 };

/** A manifest about another one. */
function about({ mediaType, digest, size }: Descriptor, seed: string) {
  const subject = { mediaType, digest, size };
  const parts = { artifactType: 'application/vnd.example.note', config: empty, layers: [empty], subject };
  const bytes = encodeJson({ schemaVersion: 2, mediaType: mediaTypes.manifest, ...parts, annotations: { seed } });
  return { descriptor: { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length }, bytes };
}

/** An index that names what is about one of its manifests before that manifest, as builders may write it. */
const children: Descriptor[] = JSON.parse(Buffer.from(image.bytesOf(image.root)).toString()).manifests;
const inner = about(children[0]!, 'inner');
const indexBytes = encodeIndex({
  manifests: [{ ...inner.descriptor, platform: { os: 'unknown', architecture: 'unknown' } }, ...children],
});
const root = { mediaType: mediaTypes.index, digest: sha256(indexBytes), size: indexBytes.length };

/**
 * Notes about the image, and one about each of these, half of which have digests that come before those of their
 * subjects.
 */
const notes = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => about(root, seed));
const all = [...notes, ...notes.map(({ descriptor }) => about(descriptor, 'signed'))];

beforeAll(async () => {
  if (find('docker-registry') === undefined) return;
  const { host } = await upstream();
  const source = await openRepository({ scheme: 'http', registry: host, repository: 'source' });
  await copy(await groupsOf(image), source);
  await source.push(empty, () => once(Buffer.from('{}')));
  await source.push(inner.descriptor, () => once(inner.bytes));
  await source.tag(root, indexBytes, '1');
  for (const { descriptor, bytes } of all) await source.push(descriptor, () => once(bytes));
  await source.close();
  const images = ['registry.example.com/team/web:1', 'registry.example.com/team/db:1'];
  const definition = writeDefinition(
    join(folder, 'hello'),
    images.map((reference) => ({ reference, source: `docker://${host}/source:1` })),
  );
  await packHere(definition, join(folder, 'hello.iso'), { connect: connectPlainly });
  const { name } = JSON.parse(await succeeds(['inspect', 'hello.iso', '--json'], { cwd }));
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFileSync(join(folder, 'solutions.yaml'), `${head}archives: [hello.iso]\nactive: {${name}: latest}\n`);
});

const install = (host: string): string[] => [
  ...[
    'install',
    '-f',
    'solutions.yaml',
    '--insecure-skip-verify',
    '--images-only',
    '--registry',
    `http://${host}/edge`,
  ],
];

describe.each<[string, Quirks]>([
  ['refuses to list referrers, and to tell of tags that it does not have', { referrers: 403, unknownTag: 403 }],
  [
    'takes the list of referrers, and tags that it does not have, for bad requests',
    { referrers: 400, unknownTag: 400 },
  ],
  [
    'wants a password for the list of referrers, and for tags that it does not have',
    { referrers: 401, unknownTag: 401 },
  ],
  ['takes no such type of the list of referrers, and no HEAD', { referrers: 406, withoutHead: true }],
  ['has no list of referrers, and takes no manifest before its subject', { referrers: 501, subjectFirst: true }],
])('a registry that %s', (title, quirks) => {
  judged('takes a Solution and names for its images, twice, and gives it back', ['docker-registry'], async () => {
    const { host } = await quirky((await upstream()).host, quirks);
    const reference = `${host}/${title.replaceAll(/[^A-Za-z]+/g, '-').toLowerCase()}/hello:1`;
    await succeeds(['push', 'hello.iso', reference, '--expand', '-q'], { cwd });
    const again = JSON.parse(await succeeds(['push', 'hello.iso', reference, '--expand', '-q', '--json'], { cwd }));
    expect(again).toMatchObject({ moved: 0 });
    const back = `${host.replace(':', '-')}.iso`;
    await succeeds(['pull', reference, '-o', back, '-q'], { cwd });
    expect(readFileSync(join(folder, back)).equals(readFileSync(join(folder, 'hello.iso')))).toBe(true);
  });

  judged('takes the images of an install', ['docker-registry'], async () => {
    const { host } = await quirky((await upstream()).host, quirks);
    await succeeds(install(host), { cwd });
  });
});

describe('a registry that sends readers to a store', () => {
  judged(
    'is asked for another link where the store does not take the first one',
    ['registry', 'versitygw'],
    async () => {
      const { host, seen } = await quirky((await stored()).host, { spoiltLinks: 'first' });
      const reference = `${host}/spoilt/hello:1`;
      await succeeds(['push', 'hello.iso', reference, '--expand', '-q'], { cwd });
      await succeeds(['pull', reference, '-o', 'spoilt.iso', '-q'], { cwd });
      expect(readFileSync(join(folder, 'spoilt.iso')).equals(readFileSync(join(folder, 'hello.iso')))).toBe(true);
      const asked = seen.filter((line) => /^GET .*\/blobs\/.* 307$/.test(line));
      expect(asked.length).toBeGreaterThan(new Set(asked).size);
    },
  );

  judged('is not blamed, nor the repository, where the store takes none', ['registry', 'versitygw'], async () => {
    const store = new URL(String((await s3()).settings['regionendpoint'])).host;
    const { host } = await quirky((await stored()).host, { spoiltLinks: 'all' });
    const reference = `${host}/blamed/hello:1`;
    await succeeds(['push', 'hello.iso', reference, '--expand', '-q'], { cwd });
    const { code, stderr } = await solpack(['pull', reference, '-o', 'blamed.iso', '-q'], { cwd });
    expect(code).not.toBe(0);
    expect(stderr).toContain(`http://${store}/`);
    expect(stderr).toMatch(/status 403 \(SignatureDoesNotMatch: /);
    expect(stderr).toContain(`${host} sends readers to that store, which rejects the link that the registry signed`);
  });
});

describe('a registry that makes no repositories by itself', () => {
  const lacking = (host: string, names: readonly string[]): string =>
    `create these ${names.length} repositories in the registry first, because it creates none by itself: ${names.map((name) => `${host}/${name}`).join(', ')}`;

  judged(
    'is pushed to once they are there, and all that are not are reported at once',
    ['docker-registry'],
    async () => {
      const repositories = new Set<string>();
      const { host } = await quirky((await upstream()).host, { repositories });
      const push = ['push', 'hello.iso', `${host}/own/hello:1`, '--expand', '-q'];
      const names = ['own/hello', 'own/hello/team/web', 'own/hello/team/db'];
      const { code, stderr } = await solpack(push, { cwd });
      expect(code).not.toBe(0);
      expect(stderr).toContain(lacking(host, names));
      for (const name of names) repositories.add(name);
      await succeeds(push, { cwd });
    },
  );

  judged('is reported so by an install, before it sends anything', ['docker-registry'], async () => {
    const { host, seen } = await quirky((await upstream()).host, { repositories: new Set() });
    const { code, stderr } = await solpack(install(host), { cwd });
    expect(code).not.toBe(0);
    expect(stderr).toContain(lacking(host, ['edge/team/web', 'edge/team/db']));
    expect(seen.filter((line) => /^(?:PUT|PATCH) /.test(line))).toEqual([]);
  });
});
