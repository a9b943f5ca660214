import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfiguration } from '../formats/solution/configuration.ts';
import { parseDefinition } from '../formats/solution/definition.ts';
import { baseLayers, type Version, versions, writeImages } from '../scripts/images/guestbook.ts';
import { succeeds } from './support/cli.ts';
import { judged, ok, run, scratch } from './support/judges.ts';

const folder = scratch('fixtures');
const guestbook = join(import.meta.dirname, '../fixtures/guestbook');
const names = Object.keys(versions) as Version[];
const base = await baseLayers();
for (const version of names) writeImages(join(folder, version), version, base);

const web = `oci:${folder}/1.1.0:registry.example.com/guestbook/web:1.1.0`;
const operator = `oci:${folder}/1.1.0:registry.example.com/guestbook/operator:1.1.0`;

/** SHA-256 of what names or holds all the content: changes here change every digest that users of the example see. */
const known: Record<string, string> = {
  '1.0.0/operator.tar': '3e2fb6ac935ca1a7e37c5a48533430e016e09acc2ccdbb321d7e837b82ac1436',
  '1.0.0/web.tar': 'be4bca2a30b7b5e1a1419cad69dcd1c2df434907a1e4171a78337dba653f3f53',
  '1.1.0/index.json': 'eeaa7dc9890a9d4a092a04e39cfe9c2eb113213c6bdc7248a415488c35191878',
};

/** SHA-256 of every file below a folder, by path. */
function digests(top: string): Record<string, string> {
  const paths = globSync('**', { cwd: top, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = paths.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    files.map((path) => [path.slice(top.length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

for (const version of names) {
  judged(
    `the lock of the example Solution ${version} is what this release packs, as the demo asks`,
    ['helm', 'kubectl'],
    async () => {
      const home = join(folder, 'home', version);
      cpSync(join(guestbook, version), home, { recursive: true, filter: (path) => !path.endsWith('/images') });
      cpSync(join(folder, version), join(home, 'images'), { recursive: true });
      const packed = await succeeds(['pack', home, '-o', join(folder, `${version}.iso`), '--locked']);
      expect(packed).toContain(`packed guestbook ${version}`);
    },
  );
}

describe('the images of the example Solution', () => {
  test.each(names)('of %s are the same bytes whenever they are built', async (version) => {
    const again = join(folder, 'again', version);
    writeImages(again, version, await baseLayers());
    expect(digests(again)).toEqual(digests(join(folder, version)));
    expect(digests(join(guestbook, version, 'images'))).toEqual(digests(join(folder, version)));
  });

  test('are the same bytes on every machine', () => {
    for (const [path, digest] of Object.entries(known)) {
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
        path,
      ).toBe(digest);
    }
  });

  test('store the layers that they share once', () => {
    const blobs = Object.keys(digests(join(folder, '1.1.0'))).filter((path) => path.startsWith('/blobs/'));
    // Two base layers, two top layers; of each of the four platform images a configuration and a manifest; two indexes.
    expect(blobs).toHaveLength(2 + 2 + 4 * 2 + 2);
  });

  judged('are read by skopeo on every platform', ['skopeo'], async () => {
    const archive = `oci-archive:${folder}/1.0.0/web.tar`;
    for (const source of [web, operator, archive]) {
      for (const architecture of ['amd64', 'arm64']) {
        const config = await ok('skopeo', ['inspect', '--config', '--override-arch', architecture, source]);
        expect(JSON.parse(config)).toMatchObject({ architecture, os: 'linux', config: { User: '65532:65532' } });
      }
    }
  });

  judged('are copied by skopeo with their digests', ['skopeo'], async () => {
    await ok('skopeo', ['copy', '--all', '--preserve-digests', '-q', web, `dir:${folder}/copy`]);
    const docker = `docker-archive:${folder}/1.0.0/operator.tar:registry.example.com/guestbook/operator:1.0.0`;
    await ok('skopeo', ['copy', '-q', docker, `oci:${folder}/operator:copy`]);
    const { Labels } = JSON.parse(await ok('skopeo', ['inspect', `oci:${folder}/operator:copy`]));
    expect(Labels['org.opencontainers.image.version']).toBe('1.0.0');
  });

  judged('hold a server that serves a page without standard input', ['skopeo', 'umoci'], async (context) => {
    await ok('skopeo', ['copy', '-q', '--override-arch', 'amd64', web, `oci:${folder}/amd64:web`]);
    await ok('umoci', ['unpack', '--rootless', '--image', `${folder}/amd64:web`, `${folder}/bundle`]);
    const spec = JSON.parse(readFileSync(`${folder}/bundle/config.json`, 'utf8'));
    expect(spec.process.args.slice(0, 2)).toEqual(['/bin/server', '--servedir=/www']);
    if (process.platform !== 'linux' || process.arch !== 'x64')
      context.skip('the server of this image needs Linux x64');
    expect(await page(`${folder}/bundle/rootfs`)).toContain('<h1>Guestbook 1.1.0</h1>');
  });
});

describe('the example Solution', () => {
  test.each(names)('%s has a definition that parses, and whose images are built', (version) => {
    const definition = parseDefinition(readFileSync(join(guestbook, version, 'solution.toml')));
    expect(definition.version).toBe(version);
    expect(definition.components.map(({ kind }) => kind)).toEqual([
      'manifests',
      'manifests',
      'kustomize',
      'helm',
      'plugin',
    ]);
    expect(definition.images).toHaveLength(2);
  });

  test('has a configuration that leaves the choice between two archives to solpack', () => {
    const { active, groups, implicit } = parseConfiguration(readFileSync(join(guestbook, 'solutions.yaml')));
    expect([active.size, implicit]).toEqual([0, true]);
    expect(groups.flatMap(({ archives }) => archives)).toEqual(['guestbook-1.0.0.iso', 'guestbook-1.1.0.iso']);
  });

  judged('has charts that helm accepts and kustomizations that kubectl builds', ['helm', 'kubectl'], async () => {
    const env = {
      HELM_CACHE_HOME: `${folder}/helm`,
      HELM_CONFIG_HOME: `${folder}/helm`,
      HELM_DATA_HOME: `${folder}/helm`,
    };
    for (const version of names) {
      const charts = join(folder, `charts-${version}`);
      cpSync(join(guestbook, version, 'charts'), charts, { recursive: true });
      await ok('helm', ['dependency', 'build', `${charts}/web`], { env });
      const values = join(guestbook, version, 'values/production.yaml');
      const web = await ok('helm', ['template', 'web', `${charts}/web`, '--values', values], { env });
      expect(web).toContain(`image: "registry.example.com/guestbook/web:${version}"`);
      const overlay = join(guestbook, version, 'kustomize/overlays/production');
      const objects = await ok('kubectl', ['kustomize', overlay]);
      expect(objects).toContain(`image: registry.example.com/guestbook/operator:${version}`);
    }
  });

  test.each(names)('%s has a plugin that follows the convention', async (version) => {
    const cwd = join(guestbook, version, 'plugins/motd');
    const plugin = join(cwd, 'plugin');
    expect(await ok(plugin, ['api-version'], { cwd })).toBe('v1\n');
    expect(await ok(plugin, ['run'], { cwd })).toContain('kind: ConfigMap');
    expect((await run(plugin, ['run'], { cwd: folder })).code).toBe(1);
    expect((await run(plugin, ['run'], { cwd, env: { MICROSHIFT_LOGVLEVEL: 'Loud' } })).code).toBe(2);
  });
});

/** What the server in `rootfs` serves at `/`, run on a free port of the loopback address, its standard input empty. */
async function page(rootfs: string): Promise<string> {
  const port = await freePort();
  const args = [`--servedir=${rootfs}/www`, `--serve=127.0.0.1:${port}`, '--watch=forever'];
  const server = spawn(`${rootfs}/bin/server`, args, { stdio: 'ignore', env: {} });
  try {
    for (let tries = 0; ; tries += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch((error) => {
        if (tries > 100 || server.exitCode !== null) throw error;
      });
      if (response) return await response.text();
      // Clock: between two tries.
      await new Promise((resume) => setTimeout(resume, 50));
    }
  } finally {
    server.kill();
  }
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
