import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../../formats/oci/manifest.ts';
import { writeChart } from '../../../support/charts.ts';
import { solpack, succeeds } from '../../../support/cli.ts';
import { faulty } from '../../../support/faults.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { dockerRegistry } from '../../../support/registry.ts';
import { archive, entry } from '../../../support/tar.ts';
import { configMap, plant } from '../../parts/components/support.ts';

const folder = scratch('bundles');
const registry = dockerRegistry(folder);

const define = (name: string, path: string, kind = 'manifests', ...more: string[]): string =>
  plant(join(folder, name), {
    'solution.toml': `name = "s"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "${kind}"\npath = "${path}"\n${more.join('\n')}\n`,
  });

const pack = (home: string, ...more: string[]): ReturnType<typeof solpack> =>
  solpack(['pack', home, '-o', join(home, 'out.iso'), ...more]);

/** Puts an image of these layers into a registry, as a build of a bundle does. */
async function pushImage(
  repository: string,
  layers: readonly Uint8Array[],
  labels: Record<string, string>,
): Promise<string> {
  const { url, host } = await registry();
  const blob = async (bytes: Uint8Array, mediaType: string) => {
    const digest = sha256(bytes);
    const begun = await fetch(`${url}/v2/${repository}/blobs/uploads/`, { method: 'POST' });
    const to = new URL(begun.headers.get('location')!, url);
    to.searchParams.set('digest', digest);
    expect((await fetch(to, { method: 'PUT', body: Buffer.from(bytes) })).status).toBe(201);
    return { mediaType, digest, size: bytes.length };
  };
  const config = await blob(
    encodeJson({
      architecture: 'amd64',
      os: 'linux',
      config: { Labels: labels },
      rootfs: { type: 'layers', diff_ids: [] },
    }),
    mediaTypes.config,
  );
  const all = [];
  for (const layer of layers) all.push(await blob(gzipSync(layer), mediaTypes.layerGzip));
  const manifest = encodeManifest({ config, layers: all });
  const headers = { 'content-type': mediaTypes.manifest };
  const put = { method: 'PUT', headers, body: Buffer.from(manifest) };
  expect((await fetch(`${url}/v2/${repository}/manifests/v1`, put)).status).toBe(201);
  return `docker://${host}/${repository}:v1`;
}

const bundle = { 'operators.operatorframework.io.bundle.manifests.v1': 'manifests/' };

describe('a bundle image', () => {
  judged('has its manifests packed, as its last layer leaves them', ['docker-registry'], async () => {
    const lower = archive(
      entry('manifests/', { type: '5' }),
      entry('manifests/a.yaml', { body: configMap('a') }),
      entry('manifests/gone.yaml', { body: configMap('gone') }),
      entry('metadata/annotations.yaml', { body: 'annotations: {}\n' }),
    );
    const upper = archive(
      entry('manifests/.wh.gone.yaml'),
      entry('manifests/b.yaml', { body: configMap('b') }),
      entry('manifests/link.yaml', { type: '2', link: '../metadata/c.yaml' }),
      entry('metadata/c.yaml', { body: configMap('c') }),
    );
    const path = await pushImage('team/bundle', [lower, upper], bundle);
    const home = define('bundle', path);
    expect(await pack(home)).toMatchObject({ code: 0 });
    const listed = await succeeds(['ls', join(home, 'out.iso')]);
    expect(listed.match(/components\/web\/\S+/g)?.sort()).toEqual(
      ['a.yaml', 'b.yaml', 'link.yaml'].map((name) => `components/web/${name}`),
    );
    expect(readFileSync(join(home, 'solution.lock'), 'utf8')).toContain(`address = "${path}"`);
    const locked = readFileSync(join(home, 'out.iso'));
    await pushImage('team/bundle', [archive(entry('manifests/new.yaml', { body: configMap('new') }))], bundle);
    expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
    rmSync(join(home, '.solpack'), { recursive: true });
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, 'out.iso')).equals(locked)).toBe(true);
    expect(await pack(home, '--update')).toMatchObject({ code: 0 });
    expect(await succeeds(['ls', join(home, 'out.iso')])).toContain('new.yaml');
  });

  judged('may be asked for another folder', ['docker-registry'], async () => {
    const layer = archive(
      entry('other/c.yaml', { body: configMap('c') }),
      entry('manifests/d.yaml', { body: configMap('d') }),
    );
    const path = await pushImage('team/other', [layer], bundle);
    const home = define('other', `${path}//other`);
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(await succeeds(['ls', join(home, 'out.iso')])).toContain('components/web/c.yaml');
    const none = define('none', `${path}//none`);
    expect(await pack(none)).toMatchObject({ code: 2, stderr: expect.stringContaining('component-absent') });
    const above = define('above', `${path}//../..`);
    expect(await pack(above)).toMatchObject({ code: 2, stderr: expect.stringContaining('component-absent') });
  });

  judged('is refused where it would write elsewhere, or leads elsewhere', ['docker-registry'], async () => {
    const map = { body: configMap('x') };
    const cases: [string, Uint8Array, string][] = [
      ['dots', archive(entry('../x.yaml', map)), 'is not a path within its folder'],
      ['inner-dots', archive(entry('manifests/../../x.yaml', map)), 'is not a path within its folder'],
      ['hard', archive(entry('manifests/x.yaml', { type: '1', link: '/etc/hostname' })), 'which is not a file'],
      ['soft', archive(entry('manifests/x.yaml', { type: '2', link: '/etc/hostname' })), 'symbolic link'],
      ['through', archive(entry('manifests', { type: '2', link: '/tmp' }), entry('manifests/x.yaml', map)), ''],
      ['no-tar', Buffer.from('nothing'.repeat(100)), 'component-invalid'],
    ];
    for (const [name, layer, message] of cases) {
      const path = await pushImage(`bad/${name}`, [layer], bundle);
      const { code, stderr } = await pack(define(`bad-${name}`, path));
      expect({ name, code, stderr }).toEqual({
        name,
        code: message === '' ? 0 : 2,
        stderr: expect.stringContaining(message),
      });
    }
  });
});

describe('a registry', () => {
  judged('that gives other bytes than its manifest names is caught', ['docker-registry'], async () => {
    const { host: upstream } = await registry();
    const path = await pushImage('team/lying', [archive(entry('manifests/a.yaml', { body: configMap('a') }))], bundle);
    const { host } = await faulty(upstream, ({ url: asked }) =>
      asked.includes('/blobs/') ? { body: (bytes) => Buffer.from(bytes.map((byte) => byte ^ 1)) } : undefined,
    );
    const lying = define('lying', path.replace(/\/\/[^/]+/, `//${host}`));
    expect(await pack(lying)).toMatchObject({ code: 1, stderr: expect.stringContaining('content-mismatch') });
  });
});

describe('an artifact', () => {
  judged('that oras pushed has its folder unpacked, and its files beside', ['docker-registry', 'oras'], async () => {
    const { host } = await registry();
    const work = plant(join(folder, 'work'), {
      'deploy/kustomization.yaml': 'resources:\n- map.yaml\n',
      'deploy/map.yaml': configMap('a'),
      'single.yaml': configMap('single'),
    });
    await ok('oras', ['push', '--plain-http', `${host}/team/files:1.2.0`, 'deploy', 'single.yaml'], { cwd: work });
    const home = define('oras', `oci://${host}/team/files//deploy`, 'kustomize', 'version = "1.x"');
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(await succeeds(['ls', join(home, 'out.iso')])).toContain('components/web/map.yaml');
    const single = define('oras-single', `oci://${host}/team/files//single.yaml`, 'manifests', 'version = "1.2.0"');
    expect(await pack(single)).toMatchObject({ code: 0 });
  });
});

describe('a component outside of the definition', () => {
  judged('is packed with what lies beside it, and with nothing else', ['helm'], async () => {
    const top = join(folder, 'shared');
    writeChart(join(top, 'charts/common'), { name: 'common', version: '1.0.0' });
    const dependencies = [{ name: 'common', version: '1.0.0', repository: 'file://../common' }];
    writeChart(join(top, 'charts/web'), { name: 'web', version: '1.0.0', dependencies });
    writeFileSync(join(top, 'charts/values.yaml'), 'note: shared\n');
    writeFileSync(join(top, 'private.yaml'), 'note: private\n');
    const home = define('shared/solution', '../charts/web', 'helm', 'values = ["../charts/values.yaml"]');
    expect(await pack(home)).toMatchObject({ code: 0 });
    symlinkSync('../private.yaml', join(top, 'charts/linked.yaml'));
    const linked = define('shared/linked', '../charts/web', 'helm', 'values = ["../charts/linked.yaml"]');
    expect(await pack(linked)).toMatchObject({ code: 2, stderr: expect.stringContaining('symbolic link leads out') });
    const absolute = define('shared/absolute', join(top, 'charts/web'), 'helm');
    expect(await pack(absolute)).toMatchObject({ code: 2, stderr: expect.stringContaining('path-escapes') });
    mkdirSync(join(top, 'bases/overlay'), { recursive: true });
    writeFileSync(join(top, 'bases/overlay/kustomization.yaml'), 'resources:\n- ../../private\n');
    plant(join(top, 'private'), { 'kustomization.yaml': 'resources:\n- a.yaml\n', 'a.yaml': configMap('a') });
    const out = define('shared/out', '../bases/overlay', 'kustomize');
    expect(await pack(out)).toMatchObject({ code: 2, stderr: expect.stringContaining('path-escapes') });
  });
});

describe('values that stand in the definition', () => {
  judged('win over values files, and are packed as one', ['helm'], async () => {
    const home = define(
      'set',
      'chart',
      'helm',
      'values = ["values.yaml"]',
      'release = "prod"',
      'set = { note = "set", big = 1.50, list = [1, 2], when = 1979-05-27T07:32:00Z, a.b = "no" }',
    );
    writeChart(join(home, 'chart'), { name: 'web', version: '1.0.0' });
    writeFileSync(join(home, 'values.yaml'), 'note: file\n');
    expect(await pack(home)).toMatchObject({ code: 0 });
    const out = join(home, 'files');
    await succeeds(['extract', join(home, 'out.iso'), 'components/web', '-C', out]);
    const [chart, ...values] = ['web-1.0.0.tgz', 'values/0-values.yaml', 'values/1-set.json'].map((name) =>
      join(out, 'components/web', name),
    );
    expect(JSON.parse(readFileSync(values[1]!, 'utf8'))).toEqual({
      note: 'set',
      big: 1.5,
      list: [1, 2],
      when: '1979-05-27T07:32:00.000Z',
      a: { b: 'no' },
    });
    const rendered = await ok('helm', ['template', 'prod', chart!, '--values', values[0]!, '--values', values[1]!]);
    expect(rendered).toContain('note: "set"');
    expect(rendered).toContain('name: prod-web');
  });
});
