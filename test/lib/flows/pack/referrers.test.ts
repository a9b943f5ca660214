import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { fallbackTag } from '../../../../formats/oci/referrers.ts';
import { pushImages } from '../../../../lib/flows/install/delivery/push/index.ts';
import { serve } from '../../../../lib/flows/serve/index.ts';
import { verify } from '../../../../lib/flows/verify/index.ts';
import { succeeds } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { find, judged, ok, scratch } from '../../../support/judges.ts';
import { connectPlainly, withArchive, writeDefinition } from '../../../support/packing.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('referrers');
const registry = dockerRegistry(folder);
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'referrers' });
const [amd64] = image.manifests;
const judges = ['docker-registry', 'oras', 'skopeo', 'cosign'] as const;
/** How cosign checks a signature under a tag, offline. */
const check = [
  'verify',
  '--key',
  'cosign.pub',
  '--insecure-ignore-tlog',
  '--new-bundle-format=false',
  '--allow-http-registry',
];
const able = judges.every((judge) => find(judge) !== undefined);
let host: string;

/** Attaches a file to a manifest of a repository, and returns what that made. */
async function attach(subject: string, type: string, text: string): Promise<string> {
  const name = `${type.replace(/\W/g, '-')}.json`;
  writeFileSync(join(folder, name), text);
  const args = ['attach', '--plain-http', '--artifact-type', type, subject, `${name}:application/json`];
  return /Digest: (sha256:[0-9a-f]{64})/.exec(await ok('oras', args, { cwd: folder }))![1]!;
}

const attached = { sbom: '', child: '', signed: '', cosign: '' };

beforeAll(async () => {
  if (!able) return;
  ({ host } = await registry());
  await writeLayout(join(folder, 'in'), [{ name: 'v1', image }]);
  const to = ['--dest-tls-verify=false', `docker://${host}/team/web:v1`];
  await ok('skopeo', ['--insecure-policy', 'copy', '--all', `oci:${folder}/in:v1`, ...to]);
  attached.sbom = await attach(`${host}/team/web:v1`, 'application/spdx+json', '{"spdx":1}');
  attached.child = await attach(`${host}/team/web@${amd64!.digest}`, 'application/vnd.cyclonedx+json', '{"bom":1}');
  attached.signed = await attach(`${host}/team/web@${attached.sbom}`, 'application/vnd.example.note', '{"note":1}');
  const env = { COSIGN_PASSWORD: '' };
  await ok('cosign', ['generate-key-pair'], { cwd: folder, env });
  const offline = ['--use-signing-config=false', '--new-bundle-format=false', '--tlog-upload=false'];
  const sign = ['sign', '--yes', '--key', 'cosign.key', ...offline, '--allow-http-registry'];
  await ok('cosign', [...sign, `${host}/team/web@${image.index.digest}`], { cwd: folder, env });
  const tag = `${fallbackTag(image.index.digest)}.sig`;
  attached.cosign = sha256(
    await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', `docker://${host}/team/web:${tag}`]),
  );
  const source = `docker://${host}/team/web:v1`;
  const definition = writeDefinition(join(folder, 'all'), [{ reference: 'registry.example.com/team/web:v1', source }]);
  for (const name of ['all.tar', 'all.iso'])
    await packHere(definition, join(folder, name), { connect: connectPlainly });
});

describe('what refers to an image in a registry', () => {
  judged('comes along: of the index, of its children, of referrers, and under cosign’s tags', judges, async () => {
    for (const name of ['all.tar', 'all.iso']) {
      await withArchive(join(folder, name), ({ catalog }) => {
        const [web] = catalog.images;
        expect(web!.descriptor.digest).toBe(image.index.digest);
        const found = web!.referrers.map(({ subject, tag, descriptor }) => [descriptor.digest, subject, tag]);
        expect(found.sort()).toEqual(
          [
            [attached.sbom, image.index.digest, undefined],
            [attached.child, amd64!.digest, undefined],
            [attached.signed, attached.sbom, undefined],
            [attached.cosign, image.index.digest, `${fallbackTag(image.index.digest)}.sig`],
          ].sort(),
        );
      });
      const { findings } = await verify({ archive: join(folder, name), trust: undefined }, testFlow());
      expect(findings).toEqual([]);
    }
  });

  judged('comes along where the command packs as well', judges, async () => {
    await succeeds(['pack', 'all', '-o', 'command.tar', '--update'], { cwd: folder });
    expect(readFileSync(join(folder, 'command.tar'))).toEqual(readFileSync(join(folder, 'all.tar')));
  });

  judged('has no name in the layout, so that no runtime takes it for an image', judges, async () => {
    const index = JSON.parse(await ok('tar', ['-xOf', join(folder, 'all.tar'), 'index.json'])) as {
      manifests: Descriptor[];
    };
    for (const digest of Object.values(attached)) {
      const [entry, ...more] = index.manifests.filter((candidate) => candidate.digest === digest);
      expect(more).toEqual([]);
      expect(entry?.annotations?.['org.opencontainers.image.ref.name']).toBeUndefined();
    }
  });

  judged('is found by oras in the archive', judges, async () => {
    const layout = `${folder}/all.tar@${image.index.digest}`;
    const said = await ok('oras', ['discover', '--oci-layout', '--format', 'tree', layout]);
    for (const digest of [attached.sbom, attached.signed]) expect(said).toContain(digest);
  });

  judged('is served, and cosign verifies it there', judges, async () => {
    const serving = await serve(
      { archives: [join(folder, 'all.iso')], listen: { host: '127.0.0.1', port: 0 }, configuration: undefined },
      testFlow(),
    );
    try {
      const place = `${serving.url.replace('http://', '')}/registry.example.com/team/web`;
      const said = await ok('oras', ['discover', '--plain-http', '--format', 'tree', `${place}:v1`]);
      for (const digest of [attached.sbom, attached.signed]) expect(said).toContain(digest);
      const child = await ok('oras', ['discover', '--plain-http', '--format', 'tree', `${place}@${amd64!.digest}`]);
      expect(child).toContain(attached.child);
      await ok('cosign', [...check, `${place}@${image.index.digest}`], { cwd: folder });
    } finally {
      await serving[Symbol.asyncDispose]();
    }
  });

  judged('is pushed to another registry, where oras and cosign find it', judges, async () => {
    await withArchive(join(folder, 'all.tar'), (archive) =>
      pushImages({ archives: [archive], bounds: () => undefined }, `http://${host}/copy`, {}, testFlow()),
    );
    const said = await ok('oras', ['discover', '--plain-http', '--format', 'tree', `${host}/copy/team/web:v1`]);
    for (const digest of [attached.sbom, attached.signed]) expect(said).toContain(digest);
    await ok('cosign', [...check, `${host}/copy/team/web:v1`], { cwd: folder });
  });

  judged('comes out of an archive, as a source, as it went in', judges, async () => {
    for (const source of ['solpack:../all.iso', 'oci-archive:../all.tar:registry.example.com/team/web:v1']) {
      const path = writeDefinition(join(folder, 'again'), [{ reference: 'registry.example.com/team/web:v1', source }]);
      await packHere(path, join(folder, 'again.tar'), { lock: 'update' });
      const digests = (name: string): Promise<string[]> =>
        withArchive(join(folder, name), ({ catalog }) => catalog.referrers.map(({ descriptor }) => descriptor.digest));
      expect(await digests('again.tar')).toEqual(await digests('all.tar'));
    }
  });

  judged('stays away where the definition says so', judges, async () => {
    const source = `docker://${host}/team/web:v1`;
    const more = ['referrers = false'];
    const path = writeDefinition(join(folder, 'none'), [
      { reference: 'registry.example.com/team/web:v1', source, more },
    ]);
    await packHere(path, join(folder, 'none.tar'), { connect: connectPlainly });
    await withArchive(join(folder, 'none.tar'), ({ catalog }) => expect(catalog.referrers).toEqual([]));
  });

  judged('is what the lock names, whatever was attached since', judges, async () => {
    const lock = join(folder, 'all/solution.toml');
    const before = await packHere(lock, join(folder, 'locked.tar'), { connect: connectPlainly, lock: 'locked' });
    await attach(`${host}/team/web:v1`, 'application/vnd.example.later', '{"later":1}');
    const after = await packHere(lock, join(folder, 'locked.tar'), { connect: connectPlainly, lock: 'locked' });
    expect(after.root).toBe(before.root);
    const renewed = await packHere(lock, join(folder, 'locked.tar'), { connect: connectPlainly, lock: 'update' });
    expect(renewed.root).not.toBe(before.root);
  });
});
