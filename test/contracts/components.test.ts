import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { byteOrder, collect as gather } from '../../formats/bytes.ts';
import { sha256 } from '../../formats/digest.ts';
import { formatDocuments, parseDocuments } from '../../formats/manifest/documents.ts';
import { collectComponent, components, probe, render } from '../../lib/parts/components/index.ts';
import type { Collected, ComponentKindName, ComponentSpec } from '../../lib/parts/components/kind.ts';
import { configMap, flowIn, type Planted, plant, specOf, unpacked } from '../lib/parts/components/support.ts';
import { type Judge, judged, scratch } from '../support/judges.ts';
import { operatorBundle } from '../support/operator-bundles.ts';

const folder = scratch('contract-components');
const operator = operatorBundle();

interface Sample {
  readonly files: Readonly<Record<string, Planted>>;
  readonly values?: readonly string[];
  readonly tools: readonly Judge[];
}

/** One component of each kind, in the folder `component`; a new kind needs a line here to be tested. */
const samples: Readonly<Record<ComponentKindName, Sample>> = {
  manifests: {
    files: { 'component/b.yaml': configMap('b'), 'component/a/a.yml': `${configMap('a')}---\n${configMap('c')}` },
    tools: [],
  },
  kustomize: {
    files: {
      'component/kustomization.yaml': 'resources: [../base]\nnamePrefix: my-\n',
      'base/kustomization.yaml': 'resources: [map.yaml]\n',
      'base/map.yaml': configMap('web'),
    },
    tools: ['kubectl'],
  },
  helm: {
    files: {
      'component/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'component/templates/map.yaml': configMap('web', '{{ .Values.key }}'),
      'values.yaml': 'key: value\n',
    },
    values: ['values.yaml'],
    tools: ['helm'],
  },
  plugin: {
    files: {
      'component/plugin': { program: '#!/bin/sh\n[ "$1" = api-version ] && echo v1 || cat map.yaml\n' },
      'component/map.yaml': configMap('web'),
    },
    tools: [],
  },
  'registry+v1': {
    files: {
      ...Object.fromEntries(Object.entries(operator).map(([path, text]) => [`component/${path}`, text])),
      'values.yaml': 'installMode: OwnNamespace\n',
    },
    values: ['values.yaml'],
    tools: [],
  },
  'plain+v0': {
    files: { 'component/manifests/b.yaml': configMap('b'), 'component/manifests/a': configMap('a') },
    tools: [],
  },
  'components.d': {
    files: {
      'component/010-base/kustomization.yaml': 'resources: [../.shared]\nnamePrefix: my-\n',
      'component/.shared/kustomization.yaml': 'resources: [map.yaml]\n',
      'component/.shared/map.yaml': configMap('web'),
      'component/020-node/plugin': { program: '#!/bin/sh\n[ "$1" = api-version ] && echo v1 || cat map.yaml\n' },
      'component/020-node/map.yaml': configMap('node'),
    },
    tools: ['kubectl'],
  },
};

async function fingerprint(collected: Collected): Promise<unknown> {
  const { files, ...rest } = collected;
  const digests = files.map(async ({ path, mode, size, open }) => {
    const bytes = await gather(open(), 1024 * 1024);
    expect(bytes.length).toBe(size);
    return [path, mode, sha256(bytes)];
  });
  return { ...rest, files: await Promise.all(digests) };
}

describe.each(Object.keys(components) as ComponentKindName[])('kind %s', (kind) => {
  const { files, values = [], tools } = samples[kind];
  const spec = (name: string, planted = files): ComponentSpec =>
    specOf(kind, plant(join(folder, kind, name), planted), 'component', values);

  test('is filed under its own name', () => {
    expect(components[kind].kind).toBe(kind);
  });

  test('collects the same files each time and wherever they lie, in byte order, each path once', async () => {
    const here = spec('here');
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    const collected = await collectComponent(here);
    const paths = collected.files.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)].sort(byteOrder));
    expect(paths.every((path) => !/^\/|(?:^|\/)\.{0,2}(?:\/|$)|\\/.test(path))).toBe(true);
    expect(collected.files.every(({ mode }) => mode === 0o644 || mode === 0o755)).toBe(true);
    for (const value of collected.values) expect(paths).toContain(value);
    expect(await fingerprint(await collectComponent(here))).toEqual(await fingerprint(collected));
    expect(await fingerprint(await collectComponent(spec('there', reversed)))).toEqual(await fingerprint(collected));
  });

  judged('renders the same objects each time from what was collected, and leaves nothing behind', tools, async () => {
    const component = await unpacked(await collectComponent(spec('render')), join(folder, kind, 'unpacked'));
    const flow = flowIn(join(folder, kind, 'temp'));
    const stated = await render(kind, component, flow);
    const objects = stated.map(({ object }) => object);
    expect(objects.length).toBeGreaterThan(0);
    expect(await render(kind, component, flow)).toEqual(stated);
    expect(parseDocuments(formatDocuments(objects), 'again')).toEqual(objects);
    expect(readdirSync(flow.host.temp)).toEqual([]);
  });

  test('refuses a path that does not exist, and one that is empty', async () => {
    const root = plant(join(folder, kind, 'empty'), { 'component/.keep': '' });
    await expect(collectComponent(specOf(kind, root, 'missing'))).rejects.toMatchObject({ code: 'file-missing' });
    await expect(collectComponent(specOf(kind, root, 'component'))).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.not.stringContaining('\n'),
      hint: expect.any(String),
    });
  });

  test('refuses a component that is a link out of the folder of the definition', async () => {
    const elsewhere = plant(join(folder, kind, 'elsewhere'), files);
    const root = plant(join(folder, kind, 'linked'), {
      'values.yaml': '',
      component: { link: join(elsewhere, 'component') },
    });
    await expect(collectComponent(specOf(kind, root, 'component', values))).rejects.toMatchObject({
      code: 'component-invalid',
    });
  });

  test('renders nothing that lies outside of its folder', async () => {
    const component = await unpacked(await collectComponent(spec('inside')), join(folder, kind, 'kept'));
    const flow = flowIn(join(folder, kind, 'temp'));
    for (const change of [{ entry: '../unpacked' }, { values: ['../../values.yaml'] }, { entry: '/etc' }]) {
      await expect(render(kind, { ...component, ...change }, flow)).rejects.toMatchObject({ code: 'path-escapes' });
      await expect(probe(kind, { ...component, ...change }, flow)).rejects.toMatchObject({ code: 'path-escapes' });
    }
  });

  test('accepts what was collected when it is probed, and leaves nothing behind', async () => {
    const component = await unpacked(await collectComponent(spec('probed')), join(folder, kind, 'probed-out'));
    const before = readdirSync(component.folder, { recursive: true });
    const flow = flowIn(join(folder, kind, 'temp'));
    await probe(kind, component, flow);
    expect(readdirSync(component.folder, { recursive: true })).toEqual(before);
    expect([readdirSync(flow.host.temp), flow.events]).toEqual([[], []]);
  });

  test('stops collecting when it is told to', async () => {
    const stopped = collectComponent(spec('stopped'), AbortSignal.abort(new Error('stop')));
    await expect(stopped).rejects.toThrow('stop');
  });
});
