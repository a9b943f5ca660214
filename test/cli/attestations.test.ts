import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, solpack, starts, succeeds, writeFiles } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { makeKey, writePolicy } from '../support/policies.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('attestations');
const cwd = folder;
const file = (name: string): string => join(folder, name);
const registry = dockerRegistry(folder);
const sbom = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [] });
const web = 'registry.example.com/hello/web:1.0.0';
const job = 'registry.example.com/hello/job:1.0.0';
const types = { provenance: 'https://slsa.dev/provenance/v1', cyclonedx: 'https://cyclonedx.org/bom' };
const SLOW = 120_000;

const inspect = async (archive: string) =>
  jsonSchemas.inspect.strict().parse(JSON.parse(await succeeds(['inspect', archive, '--json'], { cwd })));

beforeAll(async () => {
  await smallSolution(file('src'));
  const definition = readFileSync(file('src/solution.toml'), 'utf8')
    .replace('\n[[images]]', 'sequence = 7\nexpires = 2100-01-01T00:00:00Z\n\n[[images]]')
    .replace(`web:1.0.0"\n\n`, `web:1.0.0"\nsbom = "web.cdx.json"\n\n`);
  writeFiles(file('src'), { 'solution.toml': definition, 'web.cdx.json': sbom });
  const key = makeKey(folder, 'k');
  for (const [name, type] of Object.entries(types)) {
    const rule = { match: '*', keys: [key.id], requirePredicates: [type] };
    writePolicy(file(`${name}.json`), [key], { policies: [rule] });
  }
  for (const archive of ['a.iso', 'a.tar']) await succeeds(['pack', 'src', '-o', archive, '--sign', 'k.key'], { cwd });
}, SLOW);

describe('inspect', () => {
  test('lists attestations, whom they are about and who signed them, and what policies look at', async () => {
    const result = await inspect('a.iso');
    expect(result).toMatchObject({ sequence: 7, expires: 4102444800 });
    const { keyId } = result.signatures[0]!;
    expect(result.attestations).toMatchObject([
      { name: 'provenance', predicateType: types.provenance, subject: result.root, keyId },
      { name: 'sbom-hello-web-1.0.0.cdx', predicateType: types.cyclonedx, reference: web, size: sbom.length, keyId },
    ]);
    expect((await inspect('a.tar')).attestations).toEqual(result.attestations);
    const text = await succeeds(['inspect', 'a.iso'], { cwd });
    expect(text).toContain('\n  sequence 7\n  expires 2100-01-01T00:00:00Z\n');
    expect(text).toContain('2 attestations  1 SBOM, 1 provenance');
    expect(await succeeds(['inspect', 'a.iso', '--all'], { cwd })).toContain(`about ${web}`);
    expect(text).toContain(`key ${keyId.slice(0, 16)}`);
  });

  test('prints SBOMs as they were given, and the provenance', async () => {
    const digest = (await inspect('a.iso')).images.find(({ reference }) => reference === web)!.digest;
    for (const image of [[], [web], [digest]]) {
      for (const archive of ['a.iso', 'a.tar']) {
        expect(await succeeds(['inspect', archive, '--sbom', ...image], { cwd })).toBe(`${sbom}\n`);
      }
    }
    const provenance = JSON.parse(await succeeds(['inspect', 'a.iso', '--provenance'], { cwd }));
    const { externalParameters, resolvedDependencies } = provenance.buildDefinition;
    expect(externalParameters).toMatchObject({
      name: 'hello',
      version: '1.0.0',
      definition: { name: 'solution.toml' },
    });
    const named = resolvedDependencies.map(({ name, uri }: { name?: string; uri?: string }) => name ?? uri);
    expect(named).toEqual([
      'solution.lock',
      `oci://${web}`,
      `oci://${job}`,
      'components/base',
      'components/web',
      'web.cdx.json',
    ]);
  });

  judged('names the definition and the lock so that they can be found by hand', ['bash', 'sha256sum'], async () => {
    const provenance = JSON.parse(await succeeds(['inspect', 'a.iso', '--provenance'], { cwd }));
    const { externalParameters, resolvedDependencies } = provenance.buildDefinition;
    const script = "sha256sum < src/solution.toml; grep -vE '^(root|proof) = ' src/solution.lock | sha256sum";
    const sums = (await ok('bash', ['-c', script], { cwd })).match(/[0-9a-f]{64}/g);
    expect(sums).toEqual([externalParameters.definition.digest.sha256, resolvedDependencies[0].digest.sha256]);
  });

  test.each([
    ['an image that has none', ['--sbom', job], 'attestation-absent'],
    ['an image that there is not', ['--sbom', 'nobody'], 'attestation-absent'],
    ['two things at once', ['--sbom', '--provenance'], 'usage-invalid'],
    ['JSON about JSON', ['--provenance', '--json'], 'usage-invalid'],
  ])('refuses %s in one line', async (_, flags, code) => {
    const { code: exit, stdout, stderr } = await solpack(['inspect', 'a.iso', ...flags], { cwd });
    expect([exit, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(`[${code}]`)]]);
    expect(stdout === '' ? code : JSON.parse(stdout).error.code).toBe(code);
  });
});

describe('a policy that demands predicates', () => {
  test('trusts what has them about itself, or about each of its images, and refuses the rest', async () => {
    await succeeds(['verify', 'a.iso', '--policy', 'provenance.json'], { cwd });
    const { code, stdout } = await solpack(['verify', 'a.iso', '--policy', 'cyclonedx.json', '--json'], { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'predicate-missing', subject: 'hello' }]);
    await smallSolution(file('all'));
    const definition = readFileSync(file('all/solution.toml'), 'utf8');
    writeFiles(file('all'), { 'solution.toml': definition.replace('\n[[images]]', 'make-sboms = true\n\n[[images]]') });
    await succeeds(['pack', 'all', '-o', 'all.iso', '--sign', 'k.key'], { cwd });
    await succeeds(['verify', 'all.iso', '--policy', 'cyclonedx.json'], { cwd });
  });

  test('decides the same in install', async () => {
    const configuration = (archive: string): string => {
      writeFileSync(
        file(`${archive}.yaml`),
        `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions:
  - name: hello
    archives: [${archive}]
`,
      );
      return `${archive}.yaml`;
    };
    const install = (archive: string) => {
      const where = ['--render', `out-${archive}`, '--trust-state', 'state'];
      return solpack(['install', '-f', configuration(archive), '--policy', 'cyclonedx.json', ...where], { cwd });
    };
    const refused = await install('a.iso');
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('predicate-missing')]);
    expect(await install('all.iso')).toMatchObject({ code: 0 });
  });
});

describe('in a registry', () => {
  judged(
    'signed statements are referrers of what they are about, and come back with the archive',
    ['docker-registry', 'oras'],
    async () => {
      const { host } = await registry();
      const { images, root } = await inspect('a.iso');
      const { digest } = images.find(({ reference }) => reference === web)!;
      const pushed = JSON.parse(
        await succeeds(['push', 'a.iso', `${host}/hello`, '--expand', '--json', '-q'], { cwd }),
      );
      expect(pushed).toMatchObject({ signatures: 1, attestations: 2 });
      const said = async (reference: string): Promise<string[]> => {
        const args = ['discover', '--plain-http', '--format', 'json', reference];
        const found = JSON.parse(await ok('oras', args));
        return (found.referrers ?? found.manifests).flatMap(
          ({ annotations }: { annotations?: Record<string, string> }) =>
            annotations?.['dev.sigstore.bundle.predicateType'] ?? [],
        );
      };
      expect(await said(`${host}/hello@${root}`)).toEqual([types.provenance]);
      expect(await said(`${host}/hello@${digest}`)).toEqual([types.cyclonedx]);
      expect(await said(`${host}/hello/hello/web@${digest}`)).toEqual([types.cyclonedx]);
      const there = [`${host}/hello:1.0.0`, '--plain-http'];
      const { keyId } = (await inspect('a.iso')).attestations[0]!;
      const found = JSON.parse(await succeeds(['inspect', ...there, '--json', '-q'], { cwd }));
      expect(found.attestations).toEqual((await inspect('a.iso')).attestations);
      expect(await succeeds(['inspect', ...there, '--sbom', web, '-q'], { cwd })).toBe(`${sbom}\n`);
      const args = ['verify', ...there, '--policy', 'provenance.json', '--json', '-q'];
      expect(JSON.parse(await succeeds(args, { cwd })).attestations).toMatchObject([
        { signature: 'valid', keyId },
        { signature: 'valid', keyId },
      ]);
      for (const archive of ['back.iso', 'back.tar']) {
        const out = await succeeds(['pull', `${host}/hello:1.0.0`, '-o', archive, '--json', '-q'], { cwd });
        expect(JSON.parse(out)).toMatchObject({ signatures: 1, attestations: 2 });
        await succeeds(['verify', archive, '--policy', 'provenance.json'], { cwd });
      }
      expect(readFileSync(file('back.iso')).equals(readFileSync(file('a.iso')))).toBe(true);
    },
    SLOW,
  );

  judged('of serve they are too, of images and of the Solution', ['oras', 'cosign'], async () => {
    const { images, root } = await inspect('a.tar');
    const { digest } = images.find(({ reference }) => reference === web)!;
    await using serving = await starts(['serve', 'a.tar', '--listen', '127.0.0.1:0'], { cwd });
    const { host } = new URL(serving.first);
    const flags = ['--insecure-ignore-tlog', '--allow-http-registry', '--key', 'k.pub'];
    writeFiles(folder, {
      'trusted-root.json': '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}',
    });
    for (const [type, reference] of [
      ['slsaprovenance1', `${host}/solutions/hello@${root}`],
      ['cyclonedx', `${host}/registry.example.com/hello/web@${digest}`],
    ] as const) {
      const trusted = ['--new-bundle-format', '--trusted-root', 'trusted-root.json'];
      const args = ['verify-attestation', ...flags, ...trusted, '--type', type, reference];
      expect(await ok('cosign', args, { cwd })).toContain('payload');
    }
  });
});
