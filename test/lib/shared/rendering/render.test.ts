import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { pullNames } from '../../../../lib/flows/install/pull-names.ts';
import type { ClusterFacts } from '../../../../lib/kernel/content/model.ts';
import { lend } from '../../../../lib/kernel/events/lend.ts';
import { openArchive } from '../../../../lib/parts/archives/index.ts';
import { withPullNames } from '../../../../lib/shared/rendering/named-images.ts';
import { type Rendered, type RenderOptions, renderAll } from '../../../../lib/shared/rendering/render.ts';
import { renderableArchive } from '../../../../lib/shared/rendering/renderable-archive.ts';
import { smallSolution, writeFiles } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import type { TestImage } from '../../../support/image.ts';
import { imagesOf } from '../../../support/images-of.ts';
import { judged, scratch } from '../../../support/judges.ts';

const folder = scratch('install-render');
const held = 'registry.example.com/hello/web:1.0.0';
let web: TestImage;

beforeAll(async () => {
  ({ web } = await smallSolution(join(folder, 'hello')));
});

const pullName = pullNames({}, '', true);

/** Packs the small Solution with other components, and renders it. */
async function rendered(
  name: string,
  components: string,
  files: Readonly<Record<string, string>>,
  options: Partial<RenderOptions> = {},
): Promise<Rendered> {
  const home = join(folder, 'hello');
  const images = `[[images]]\nreference = "${held}"\nsource = "oci:images:${held}"\n`;
  writeFiles(home, { ...files, [`${name}.toml`]: `name = "hello"\nversion = "1.0.0"\n${images}\n${components}` });
  const path = join(folder, `${name}.iso`);
  await packHere(join(home, `${name}.toml`), path);
  return lend(await openArchive(path), async (archive) => {
    const all = [renderableArchive(archive)];
    const given = { cluster: undefined, variables: {}, timeout: 300_000, ...options };
    const before = await renderAll(all, given, testFlow());
    return { ...before, ...withPullNames(before.solutions, all, pullName) };
  });
}

const pod = (image: string, policy = 'IfNotPresent'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: "${image}", imagePullPolicy: ${policy}}]}\n`;
const manifests = (name: string, more = ''): string =>
  `[[components]]\nname = "${name}"\nkind = "manifests"\npath = "${name}.yaml"\nrender = "install"\n${more}\n`;

/** The image of a Pod after rendering, and what is missing. */
async function imageOf(name: string, image: string, policy?: string): Promise<[string | undefined, string[]]> {
  const { solutions, missing } = await rendered(name, manifests(name), { [`${name}.yaml`]: pod(image, policy) });
  return [imagesOf(solutions[0]!.components[0]!.objects)[0], missing.map((one) => one.image)];
}

describe('the images of rendered objects', () => {
  test('get the digest of the image in the archive', async () => {
    expect(await imageOf('tag', held)).toEqual([`${held}@${web.index.digest}`, []]);
  });

  test('are found by digest: of the image, of one platform, and under another name', async () => {
    const platform = web.manifests[0]!.digest;
    for (const [index, [name, digest]] of [
      [`registry.example.com/hello/web@${web.index.digest}`, web.index.digest] as const,
      [`${held}@${platform}`, platform] as const,
      [`elsewhere.example/renamed:9@${web.index.digest}`, web.index.digest] as const,
    ].entries()) {
      expect(await imageOf(`digest-${index}`, name)).toEqual([`${held}@${digest}`, []]);
    }
  });

  test.each([
    ['another-tag', 'registry.example.com/hello/web:2.0.0'],
    ['latest', 'registry.example.com/hello/web'],
    ['another-registry', 'hello/web:1.0.0'],
    ['wrong-digest', `${held}@${sha256('other')}`],
    ['absent-digest', `registry.example.com/hello/web@${sha256('other')}`],
    ['no-name', 'Not A Name'],
  ])('are missing where the archive does not hold them (%s)', async (name, image) => {
    expect(await imageOf(name, image)).toEqual([image, [image]]);
  });

  test('that are never pulled are left as they are, and not missed', async () => {
    expect(await imageOf('never', 'on.the/node:1', 'Never')).toEqual(['on.the/node:1', []]);
    expect(await imageOf('never-held', held, 'Never')).toEqual([held, []]);
  });
});

test('components keep what they wait for and how long, and name the archive that they are of', async () => {
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n';
  const components = manifests('one', 'timeout = "90s"') + manifests('two', 'after = ["one"]\nnamespace = "ns"');
  const { solutions } = await rendered('order', components, { 'one.yaml': map, 'two.yaml': map });
  expect(solutions[0]).toMatchObject({
    name: 'hello',
    version: '1.0.0',
    root: expect.stringMatching(/^sha256:/),
    components: [
      { name: 'one', after: [], timeout: 90_000, objects: [{ metadata: { name: 'm' } }] },
      { name: 'two', after: ['one'], timeout: 300_000, objects: [{ metadata: { namespace: 'ns' } }] },
    ],
  });
});

describe('what is known of the cluster', () => {
  const cluster: ClusterFacts = {
    version: 'v1.35.4',
    apiVersions: ['v1', 'v1/ConfigMap'],
    namespaced: (group, kind) => (group === 'known.example' && kind === 'Wide' ? false : undefined),
  };

  test('decides which objects get a namespace', async () => {
    const wide = 'apiVersion: known.example/v1\nkind: Wide\nmetadata: {name: w}\n';
    const other = 'apiVersion: known.example/v1\nkind: Other\nmetadata: {name: o}\n';
    const files = { 'scope.yaml': `${wide}---\n${other}` };
    const { solutions } = await rendered('scope', manifests('scope', 'namespace = "ns"'), files, { cluster });
    const namespaces = solutions[0]!.components[0]!.objects.map(({ metadata }) => metadata.namespace);
    expect(namespaces).toEqual([undefined, 'ns']);
  });

  judged(
    'lets a chart see the definitions of components before and after it, as a second run does',
    ['helm'],
    async () => {
      const has = '{{ .Capabilities.APIVersions.Has "entries.example/v1/Entry" }}';
      const files = {
        'crds.yaml':
          'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: entries.entries.example}\n' +
          'spec: {group: entries.example, scope: Namespaced, names: {kind: Entry, plural: entries}, versions: [{name: v1, served: true, storage: true}]}\n',
        'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
        'chart/templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {has: "${has}"}\n`,
      };
      const chart = '[[components]]\nname = "chart"\nkind = "helm"\npath = "chart"\n';
      const seen = async (name: string, components: string): Promise<unknown> => {
        const { solutions } = await rendered(name, components, files, { cluster });
        const objects = solutions[0]!.components.flatMap((component) => component.objects);
        return objects.find(({ kind }) => kind === 'ConfigMap')?.['data'];
      };
      expect(await seen('with', manifests('crds') + chart)).toEqual({ has: 'true' });
      expect(await seen('after', chart + manifests('crds'))).toEqual({ has: 'true' });
      expect(await seen('without', chart)).toEqual({ has: 'false' });
    },
  );
});

test('a plugin that cannot be run is reported before any component is', async () => {
  const files = {
    'bad/plugin': '#!/bin/sh\n[ "$1" = api-version ] && echo v9\n',
    'good/plugin': `#!/bin/sh\n[ "$1" = api-version ] && echo v1 && exit\ntouch '${join(folder, 'ran')}'\n`,
  };
  const plugin = (name: string): string => `[[components]]\nname = "${name}"\nkind = "plugin"\npath = "${name}"\n`;
  writeFiles(join(folder, 'hello'), files);
  const { chmodSync, existsSync } = await import('node:fs');
  for (const name of ['bad', 'good']) chmodSync(join(folder, 'hello', name, 'plugin'), 0o755);
  await expect(rendered('probe', plugin('good') + plugin('bad'), {})).rejects.toMatchObject({
    code: 'plugin-failed',
    message: expect.stringContaining('v9'),
  });
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  const { solutions } = await rendered('runs', plugin('good'), {});
  expect([solutions[0]!.components.length, existsSync(join(folder, 'ran'))]).toEqual([1, true]);
});
