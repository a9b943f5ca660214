import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, starts, succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry, user } from '../support/registry.ts';

const folder = scratch('push-pull');
const cwd = folder;
const file = (name: string): string => join(folder, name);
const registry = dockerRegistry(folder);
const guarded = dockerRegistry(folder, { htpasswd: true });
const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
/** Each of these runs a dozen programs. */
const SLOW = 300_000;

let inspected: { root: string; images: { reference: string; digest: string }[] };

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook/1.1.0'), file('src'), { recursive: true });
  for (const key of ['k', 'other', 'third']) await succeeds(['keygen', '-o', key], { cwd });
  for (const archive of ['a.iso', 'a.tar']) await succeeds(['pack', 'src', '-o', archive, '--sign', 'k.key'], { cwd });
  // Slots 0 and 2 are taken, and 1 is free.
  await succeeds(['sign', 'a.iso', '--private-key', 'other.key'], { cwd });
  await succeeds(['sign', 'a.iso', '--private-key', 'third.key'], { cwd });
  await succeeds(['unsign', 'a.iso', '--slot', '1'], { cwd });
  inspected = JSON.parse(await succeeds(['inspect', 'a.iso', '--json'], { cwd }));
}, SLOW);

/** Pushes, and returns what was reported. */
async function push(archive: string, reference: string, ...more: string[]) {
  const out = await succeeds(['push', archive, reference, '--json', '-q', ...more], { cwd });
  return jsonSchemas.push.strict().parse(JSON.parse(out));
}

/** Pulls, and returns what was reported. */
async function pull(reference: string, output: string, ...more: string[]) {
  const out = await succeeds(['pull', reference, '-o', output, '--json', '-q', ...more], { cwd });
  return jsonSchemas.pull.strict().parse(JSON.parse(out));
}

function expectSame(a: string, b: string): void {
  expect(readFileSync(file(a)).equals(readFileSync(file(b))), `${a} and ${b}`).toBe(true);
}

describe('a Solution in a registry without the referrers API', () => {
  judged(
    'comes back byte for byte, in either format, with its signatures in their slots',
    ['docker-registry'],
    async () => {
      const { host } = await registry();
      for (const [archive, signatures] of [
        ['a.iso', 2],
        ['a.tar', 1],
      ] as const) {
        const repository = `${host}/round/${archive.slice(2)}`;
        const sent = await push(archive, repository);
        expect(sent).toMatchObject({ root: inspected.root, signatures, present: 0, names: [] });
        expect(sent.reference).toBe(`${repository}:1.1.0@${inspected.root}`);
        const got = await pull(`${repository}:1.1.0`, `back-${archive}`);
        expect(got).toMatchObject({ root: inspected.root, signatures, present: 0 });
        expectSame(archive, `back-${archive}`);
        await succeeds(['verify', `back-${archive}`, '--key', 'k.pub'], { cwd });
        expect(existsSync(file(`back-${archive}.partial`))).toBe(false);
      }
    },
    SLOW,
  );

  judged(
    'is not sent a second time',
    ['docker-registry'],
    async () => {
      const { host } = await registry();
      const first = await push('a.iso', `${host}/twice/guestbook:one`);
      expect(first.moved).toBeGreaterThan(30);
      const second = await push('a.iso', `${host}/twice/guestbook:one`);
      expect(second).toMatchObject({ moved: 0, movedBytes: 0, present: first.moved });
      const renamed = await push('a.iso', `oci://${host}/twice/guestbook:two`);
      expect(renamed).toMatchObject({ moved: 0, reference: `${host}/twice/guestbook:two@${inspected.root}` });
    },
    SLOW,
  );

  judged(
    'is pushed and pulled by its digest, which is checked',
    ['docker-registry', 'oras'],
    async () => {
      const { host } = await registry();
      const wrong = `sha256:${'0'.repeat(64)}`;
      const refused = await solpack(['push', 'a.tar', `${host}/digest/guestbook@${wrong}`], { cwd });
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toContain(`its root is ${inspected.root}, not ${wrong}`);
      expect((await solpack(['pull', `${host}/digest/guestbook@${inspected.root}`, '-o', 'n.iso'], { cwd })).code).toBe(
        4,
      );
      await push('a.tar', `${host}/digest/guestbook@${inspected.root}`);
      const tags = await ok('oras', ['repo', 'tags', '--plain-http', `${host}/digest/guestbook`]);
      // What the registry needs to list referrers is the only tag.
      expect(tags.trim()).toBe(inspected.root.replace(':', '-'));
      await pull(`${host}/digest/guestbook@${inspected.root}`, 'by-digest.tar');
      expectSame('a.tar', 'by-digest.tar');
    },
    SLOW,
  );

  judged(
    'that is not there, or is none, is told of in one line and leaves nothing',
    ['docker-registry', 'skopeo'],
    async () => {
      const { host } = await registry();
      await push('a.tar', `${host}/none/guestbook`);
      mkdirSync(file('none'));
      const fails = async (reference: string, code: number, message: string): Promise<void> => {
        const { code: got, stderr, stdout } = await solpack(['pull', reference, '-o', 'none/x.iso', '-q'], { cwd });
        expect(stderr).toContain(message);
        expect(stderr).not.toContain('    at ');
        expect({ got, stdout }).toEqual({ got: code, stdout: '' });
      };
      await fails(`${host}/none/guestbook:9.9.9`, 4, 'solution-absent');
      await fails(`${host}/none/guestbook`, 4, 'has no latest');
      const [image] = inspected.images;
      await fails(`${host}/none/guestbook@${image!.digest}`, 2, 'archive-invalid');
      await fails(`${host}/UPPER/case`, 2, 'usage-invalid');
      await fails('127.0.0.1:1/none/guestbook:1.1.0', 4, 'registry-unreachable');
      expect(readdirSync(file('none'))).toEqual([]);
    },
    SLOW,
  );
});

describe('a registry that asks who is there', () => {
  judged(
    'is pushed to and pulled from with a login from standard input',
    ['docker-registry'],
    async () => {
      const reference = `${(await guarded()).host}/login/guestbook:1.1.0`;
      const login = ['--username', user.username, '--password-stdin'];
      const withLogin = { cwd, input: user.password };
      const nobody = await solpack(['push', 'a.tar', reference, '-q'], {
        cwd,
        env: { HOME: file('nobody'), REGISTRY_AUTH_FILE: '' },
      });
      expect(nobody).toMatchObject({ code: 4, stderr: expect.stringContaining('registry-denied') });
      await succeeds(['push', 'a.tar', reference, ...login], withLogin);
      await succeeds(['pull', reference, '-o', 'login.tar', ...login], withLogin);
      expectSame('a.tar', 'login.tar');
    },
    SLOW,
  );
});

describe('other tools on what was pushed', () => {
  judged(
    'oras discovers the signatures and the signed provenance, and copies all of it to where it is pulled from alike',
    ['docker-registry', 'oras'],
    async () => {
      const { host } = await registry();
      await push('a.iso', `${host}/oras/guestbook`);
      const found = JSON.parse(
        await ok('oras', ['discover', '--plain-http', '--format', 'json', `${host}/oras/guestbook:1.1.0`]),
      );
      const types = (found.referrers ?? found.manifests).map(
        ({ artifactType }: { artifactType: string }) => artifactType,
      );
      // Two signatures, and the statement of the provenance.
      expect(types).toEqual([bundleType, bundleType, bundleType]);
      const [from, to] = [`${host}/oras/guestbook:1.1.0`, `${host}/oras/copy:1.1.0`];
      await ok('oras', ['cp', '-r', '--from-plain-http', '--to-plain-http', from, to]);
      await pull(to, 'oras.iso');
      expectSame('a.iso', 'oras.iso');
    },
    SLOW,
  );

  judged(
    'skopeo, crane and helm take images and charts out of it by digest',
    ['docker-registry', 'skopeo', 'crane', 'helm', 'oras'],
    async () => {
      const { host } = await registry();
      const repository = `${host}/digests/guestbook`;
      await push('a.iso', repository);
      const root = JSON.parse(await ok('crane', ['manifest', '--insecure', `${repository}:1.1.0`]));
      for (const { digest } of inspected.images) {
        expect((await ok('crane', ['digest', '--insecure', `${repository}@${digest}`])).trim()).toBe(digest);
        const flags = ['--all', '--preserve-digests', '--src-tls-verify=false'];
        await ok('skopeo', [
          'copy',
          '-q',
          ...flags,
          `docker://${repository}@${digest}`,
          `oci:${file('skopeo')}:${digest.slice(7, 19)}`,
        ]);
      }
      const charts = root.manifests.filter(({ artifactType }: { artifactType?: string }) =>
        artifactType?.includes('helm'),
      );
      expect(charts).toHaveLength(1);
      mkdirSync(file('charts'));
      await ok('helm', ['pull', '--plain-http', `oci://${repository}@${charts[0].digest}`, '-d', file('charts')]);
      const [chart] = readdirSync(file('charts'));
      expect(await ok('helm', ['show', 'chart', file(`charts/${chart}`)])).toContain('name: web');
    },
    SLOW,
  );

  judged(
    'take images and charts by name after --expand, which moves no blob',
    ['docker-registry', 'skopeo', 'crane', 'helm'],
    async () => {
      const { host } = await registry();
      const repository = `${host}/expanded/guestbook`;
      await push('a.iso', repository);
      const { movedBytes, names } = await push('a.iso', repository, '--expand');
      expect(names.map(({ reference }) => reference).sort()).toEqual([
        `${repository}/charts/web:1.1.0`,
        `${repository}/guestbook/operator:1.1.0`,
        `${repository}/guestbook/web:1.1.0`,
      ]);
      // Manifests alone: blobs were mounted.
      expect(movedBytes).toBeLessThan(20_000);
      expect(await push('a.iso', repository, '--expand')).toMatchObject({ moved: 0 });
      for (const { reference, digest } of names) {
        expect((await ok('crane', ['digest', '--insecure', reference])).trim()).toBe(digest);
      }
      const to = `docker://${host}/expanded/copy:1`;
      const flags = ['--all', '--preserve-digests', '--src-tls-verify=false', '--dest-tls-verify=false'];
      await ok('skopeo', ['copy', '-q', ...flags, `docker://${repository}/guestbook/web:1.1.0`, to]);
      mkdirSync(file('named'));
      await ok('helm', [
        'pull',
        '--plain-http',
        `oci://${repository}/charts/web`,
        '--version',
        '1.1.0',
        '-d',
        file('named'),
      ]);
      expect(readdirSync(file('named'))).toEqual(['web-1.1.0.tgz']);
    },
    SLOW,
  );

  judged(
    'attach signatures, which are pulled into free slots, and others, which are left out',
    ['docker-registry', 'oras'],
    async () => {
      const { host } = await registry();
      const reference = `${host}/attached/guestbook:1.1.0`;
      await push('a.iso', reference);
      await succeeds(['sign', 'a.iso', '--private-key', 'other.key', '-o', 'other.json'], { cwd });
      await ok('sh', ['-c', 'echo "{}" > none.json'], { cwd });
      for (const name of ['other.json', 'none.json']) {
        await ok(
          'oras',
          ['attach', '--plain-http', '--artifact-type', bundleType, reference, `${name}:${bundleType}`],
          { cwd },
        );
      }
      const { stderr, code } = await solpack(['pull', reference, '-o', 'attached.iso', '--progress', 'lines'], { cwd });
      expect(code).toBe(0);
      expect(stderr).toMatch(/the signature sha256:[0-9a-f]{64} is left out/);
      const { signatures } = JSON.parse(await succeeds(['inspect', 'attached.iso', '--json'], { cwd }));
      expect(signatures.map(({ slot }: { slot: number }) => slot)).toEqual([0, 1, 2]);
      await succeeds(['verify', 'attached.iso', '--key', 'other.pub'], { cwd });
    },
    SLOW,
  );
});

describe('a registry with the referrers API', () => {
  test('is "solpack serve": of an archive, the same archive is pulled', { timeout: SLOW }, async () => {
    const serving = await starts(['serve', 'a.iso', '--listen', '127.0.0.1:0'], { cwd });
    try {
      const { host } = new URL(serving.first);
      await pull(`${host}/solutions/guestbook:1.1.0`, 'served.iso');
      expectSame('a.iso', 'served.iso');
    } finally {
      await serving.stop();
    }
  });

  test('is "solpack serve --store": what is pushed there is pulled alike, and not sent twice', {
    timeout: SLOW,
  }, async () => {
    const serving = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], { cwd });
    try {
      const reference = `${new URL(serving.first).host}/solutions/guestbook:1.1.0`;
      const { moved } = await push('a.iso', reference);
      expect(await push('a.iso', reference)).toMatchObject({ moved: 0, present: moved });
      await pull(reference, 'stored.iso');
      expectSame('a.iso', 'stored.iso');
    } finally {
      await serving.stop();
    }
  });
});
