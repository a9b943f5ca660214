import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { parseReference } from '../../../../formats/oci/reference.ts';
import { fallbackTag } from '../../../../formats/oci/referrers.ts';
import { pull } from '../../../../lib/flows/pull/index.ts';
import { type PushResult, push } from '../../../../lib/flows/push/index.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { find, judged, ok, scratch } from '../../../support/judges.ts';
import { connectPlainly, writeDefinition } from '../../../support/packing.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('expand');
const file = (name: string): string => join(folder, name);
const registry = dockerRegistry(folder);
const judges = ['docker-registry', 'oras', 'skopeo', 'cosign'] as const;
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'expand' });
const SLOW = 120_000;
const env = { COSIGN_PASSWORD: '' };
let host = '';
let sbom = '';

/** Packs images of the registry under names of their own. */
async function packed(name: string, references: readonly string[], more: readonly string[] = []): Promise<string> {
  const source = `docker://${host}/team/web:v1`;
  const definition = writeDefinition(
    file(name),
    references.map((reference) => ({ reference, source, more })),
  );
  await packHere(definition, file(`${name}.iso`), { connect: connectPlainly });
  return file(`${name}.iso`);
}

function expand(archive: string, reference: string): Promise<PushResult> {
  return push({ archive, reference: parseReference(reference), options: {}, expand: true }, testFlow());
}

beforeAll(async () => {
  if (!judges.every((judge) => find(judge) !== undefined)) return;
  ({ host } = await registry());
  await writeLayout(file('in'), [{ name: 'v1', image }]);
  const to = ['--dest-tls-verify=false', `docker://${host}/team/web:v1`];
  await ok('skopeo', ['--insecure-policy', 'copy', '--all', `oci:${folder}/in:v1`, ...to]);
  writeFileSync(file('sbom.json'), '{"spdx":1}');
  const attach = ['attach', '--plain-http', '--artifact-type', 'application/spdx+json', `${host}/team/web:v1`];
  const told = await ok('oras', [...attach, 'sbom.json:application/json'], { cwd: folder });
  sbom = /Digest: (sha256:[0-9a-f]{64})/.exec(told)![1]!;
  await ok('cosign', ['generate-key-pair'], { cwd: folder, env });
  const offline = ['--use-signing-config=false', '--new-bundle-format=false', '--tlog-upload=false'];
  const sign = ['sign', '--yes', '--key', 'cosign.key', ...offline, '--allow-http-registry'];
  await ok('cosign', [...sign, `${host}/team/web@${image.index.digest}`], { cwd: folder, env });
}, SLOW);

describe('images with signatures and SBOMs', () => {
  judged(
    'have them in the repository of the Solution, and in their own',
    judges,
    async () => {
      const archive = await packed('signed', ['registry.example.com/team/web:1']);
      const { names } = await expand(archive, `${host}/solutions/signed`);
      expect(names).toEqual([{ reference: `${host}/solutions/signed/team/web:1`, digest: image.index.digest }]);
      const flags = ['--insecure-ignore-tlog', '--new-bundle-format=false', '--allow-http-registry'];
      for (const repository of ['solutions/signed', 'solutions/signed/team/web']) {
        const subject = `${host}/${repository}@${image.index.digest}`;
        await ok('cosign', ['verify', '--key', 'cosign.pub', ...flags, subject], { cwd: folder, env });
        const tree = await ok('oras', ['discover', '--plain-http', subject]);
        expect(tree).toContain(sbom);
        const tag = `${fallbackTag(image.index.digest)}.sig`;
        await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', `docker://${host}/${repository}:${tag}`]);
      }
      expect(await expand(archive, `${host}/solutions/signed`)).toMatchObject({ moved: 0 });
    },
    SLOW,
  );

  judged(
    'come back with the archive, byte for byte',
    judges,
    async () => {
      const archive = await packed('again', ['registry.example.com/team/web:1']);
      const reference = parseReference(`${host}/solutions/again:1.0.0`);
      await push({ archive, reference, options: {}, expand: false }, testFlow());
      await pull({ reference, output: file('back.iso'), connect: connectPlainly }, testFlow());
      await ok('cmp', [archive, file('back.iso')]);
    },
    SLOW,
  );
});

describe('an image without some of its platforms', () => {
  judged(
    'is refused by a registry that checks indexes, and the error tells what to do',
    judges,
    async () => {
      const reference = `${host}/solutions/sparse`;
      const refused = expand(await packed('sparse', ['a.example.com/w:1'], ['platforms = ["linux/amd64"]']), reference);
      await expect(refused).rejects.toMatchObject({
        code: 'registry-error',
        side: 'target',
        hint: expect.stringContaining('pack it with select = "index"'),
      });
      const renewed = ['platforms = ["linux/amd64"]', 'select = "index"'];
      const { moved } = await expand(await packed('renewed', ['a.example.com/w:1'], renewed), reference);
      expect(moved).toBeGreaterThan(0);
    },
    SLOW,
  );
});

describe('images that cannot both have one name', () => {
  judged(
    'are refused with --expand before anything is moved',
    judges,
    async () => {
      const other = buildImage({ seed: 'another' });
      await writeLayout(file('other'), [{ name: 'v1', image: other }]);
      const definition = writeDefinition(file('twins'), [
        { reference: 'one.example.com/team/web:1', source: `docker://${host}/team/web:v1` },
        { reference: 'two.example.com/team/web:1', source: `oci:${file('other')}:v1` },
      ]);
      await packHere(definition, file('twins.iso'), { connect: connectPlainly });
      const refused = expand(file('twins.iso'), `${host}/solutions/twins`);
      await expect(refused).rejects.toMatchObject({ code: 'image-conflict', subject: 'solutions/twins/team/web:1' });
      const repository = await connectPlainly(parseReference(`${host}/solutions/twins`));
      expect(await repository.resolve('1.0.0')).toBeUndefined();
      expect(await repository.resolve(image.index.digest)).toBeUndefined();
      await repository.close();
    },
    SLOW,
  );
});
