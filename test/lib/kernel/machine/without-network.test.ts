import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, once } from '../../../../formats/bytes.ts';
import { readChart } from '../../../../formats/chart/read.ts';
import { withoutNetwork } from '../../../../lib/kernel/machine/without-network.ts';
import { helm } from '../../../../lib/parts/components/helm.ts';
import { kustomize } from '../../../../lib/parts/components/kustomize.ts';
import { printedBy } from '../../../../lib/parts/components/tools.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, scratch, toolFolder } from '../../../support/judges.ts';
import { archive, entry } from '../../../support/tar.ts';
import { configMap, flowIn, objectsBy, type Planted, plant, specOf } from '../../parts/components/support.ts';

const folder = scratch('components-confined');
const canary = join(folder, 'canary.json');
const SECRET = 'canary-of-the-host';
let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.end('{}');
});
let address = '';

beforeAll(async () => {
  writeFileSync(canary, JSON.stringify({ required: [SECRET] }));
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const chartYaml = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';
const packed = (name: string, ...more: Uint8Array[]): Buffer =>
  gzipSync(archive(entry(`${name}/Chart.yaml`, { body: chartYaml.replace('web', name) }), ...more));
/** A chart as somebody else packed it. */
const chartWith = (schema: string): Buffer =>
  packed(
    'web',
    entry('web/values.yaml', { body: 'a: {}\n' }),
    entry('web/values.schema.json', { body: schema }),
    entry('web/templates/map.yaml', { body: configMap('a') }),
  );

/** The schemas that lead out, all of which Helm follows. */
const leading = (): [string, string][] => [
  ['an address', JSON.stringify({ $ref: `${address}/x.json` })],
  ['a file by its URL', JSON.stringify({ $ref: `file://${canary}` })],
  ['a file by its path', JSON.stringify({ $ref: canary })],
  ['a file that is no JSON', JSON.stringify({ $ref: '/etc/passwd' })],
  ['a relative path', JSON.stringify({ $ref: `../../../../../../../..${canary}` })],
  ['where a pointer leads', JSON.stringify({ properties: { a: { $ref: '#/x' } }, x: { $ref: `${address}/p` } })],
  ['what a base makes of it', JSON.stringify({ $id: `${address}/id/`, properties: { a: { $ref: 'rel.json' } } })],
  ['a schema of the schema', JSON.stringify({ $schema: `${address}/meta.json` })],
  ['a dynamic reference', JSON.stringify({ $dynamicRef: `${address}/d.json` })],
  [
    'a recursive reference',
    JSON.stringify({ $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveRef: `${address}/r` }),
  ],
  ['an escaped keyword', `{"\\u0024ref":${JSON.stringify(`${address}/e.json`)}}`],
  ['a keyword that is there twice', `{"$ref":"#","$ref":${JSON.stringify(`${address}/t.json`)}}`],
  ['an $id that is none', JSON.stringify({ x: { $id: `file://${canary}` }, $ref: `file://${canary}` })],
];

describe('a chart whose schema leads out', () => {
  test('is refused when it is packed, and again before Helm sees it', async () => {
    for (const [at, [, schema]] of leading().entries()) {
      const root = plant(join(folder, `lead-${at}`), {});
      writeFileSync(join(root, 'web.tgz'), chartWith(schema));
      const refusal = { code: 'component-invalid', message: expect.stringContaining('values.schema.json') };
      await expect(helm.collect(specOf('helm', root, 'web.tgz'))).rejects.toMatchObject(refusal);
      const unpackedChart = { ...plain, folder: root, entry: 'web.tgz' };
      await expect(objectsBy(helm, unpackedChart, flowIn(join(root, 'tmp')))).rejects.toMatchObject(refusal);
    }
    expect(requests).toBe(0);
  });

  test('is refused within other charts, packed or not, as deep as Helm looks', async () => {
    const schema = JSON.stringify({ $ref: '/etc/passwd' });
    const bad = entry('c/values.schema.json', { body: schema });
    const inner = entry('b/charts/c.tgz', { body: packed('c', bad) });
    const nested: Uint8Array[] = [
      entry('web/charts/c/values.schema.json', { body: schema }),
      entry('web/charts/b/charts/c/values.schema.json', { body: schema }),
      entry('web/charts/c.tgz', { body: packed('c', bad) }),
      entry('web/charts/b.tgz', { body: packed('b', inner) }),
      entry('web/charts/b/charts/c.tgz', { body: packed('c', bad) }),
    ];
    for (const one of nested) {
      await expect(readChart(once(packed('web', one)))).rejects.toThrow('leads out of the schema');
    }
    await readChart(once(packed('web', entry('web/files/values.schema.json', { body: schema }))));
  });

  judged('is passed over, with all that it refers to, where nobody is to judge values by it', ['helm'], async () => {
    const root = plant(join(folder, 'passed-over'), {
      'web/Chart.yaml': chartYaml,
      'web/values.yaml': 'a: 1\n',
      'web/values.schema.json': '{"$ref":"https://example.com/schema.json","type":"array"}',
      'web/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    });
    const spec = specOf('helm', root, 'web');
    const refusal = { message: expect.stringContaining('skip-schema-validation = true of the component') };
    await expect(helm.collect(spec)).rejects.toMatchObject(refusal);
    const { files, entry: chart } = await helm.collect({ ...spec, skipSchemaValidation: true });
    const packedChart = files.find(({ path }) => path === chart)!;
    const home = plant(join(folder, 'passed-over-packed'), { note: '' });
    writeFileSync(join(home, chart), await collect(packedChart.open(), 1_000_000));
    const component = { ...plain, folder: home, entry: chart };
    await expect(helm.render(component, testFlow())).rejects.toMatchObject({ code: 'component-invalid' });
    const rendered = await helm.render({ ...component, skipSchemaValidation: true }, testFlow());
    expect(rendered.map(({ object }) => object.metadata.name)).toEqual(['a']);
  });

  test('is refused as a folder', async () => {
    const files: Record<string, Planted> = {
      'web/Chart.yaml': chartYaml,
      'web/values.schema.json': '{"$ref":"/etc/passwd"}',
    };
    const root = plant(join(folder, 'as-folder'), files);
    await expect(helm.collect(specOf('helm', root, 'web'))).rejects.toMatchObject({ code: 'component-invalid' });
  });
});

const plain = {
  name: 'web',
  values: [],
  namespace: undefined,
  release: 'web',
  solution: { name: 'a', version: '1.0.0' },
  cluster: undefined,
  variables: {},
};

judged('a schema that stays within itself is followed by Helm', ['helm'], async () => {
  const within = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.com/values.json',
    definitions: { a: { type: 'object', required: ['b'] }, draft: { $ref: 'http://json-schema.org/draft-07/schema#' } },
    properties: { a: { $ref: '#/definitions/a' } },
  };
  const root = plant(join(folder, 'within'), {});
  writeFileSync(join(root, 'web.tgz'), chartWith(JSON.stringify(within)));
  const component = { ...plain, folder: root, entry: 'web.tgz' };
  await expect(objectsBy(helm, component, flowIn(join(root, 'tmp')))).rejects.toThrow(/missing property|b is required/);
  writeFileSync(join(root, 'values.yaml'), 'a: {b: 1}\n');
  expect(await objectsBy(helm, { ...component, values: ['values.yaml'] }, flowIn(join(root, 'tmp')))).toHaveLength(1);
});

judged('where the system allows it, what renders has no network, whatever a chart says', ['helm'], async () => {
  const root = plant(join(folder, 'network'), {});
  const flow = flowIn(join(root, 'tmp'));
  const before = await withoutNetwork(flow.host, flow.signal);
  writeFileSync(join(root, 'web.tgz'), chartWith(JSON.stringify({ $ref: `${address}/x.json` })));
  const program = flow.host.path.map((one) => join(one, 'helm')).find((one) => readable(one))!;
  const args = ['template', 'web', join(root, 'web.tgz')];
  const rendering = printedBy({ program, args, subject: 'web', hint: '' }, flow);
  if (before.length > 0) {
    await expect(rendering).rejects.toMatchObject({ code: 'tool-failed' });
    expect(requests).toBe(0);
  } else await rendering;
});

judged('where there is no unshare, what renders is run as it is', ['helm'], async () => {
  const root = plant(join(folder, 'plain'), {});
  const flow = flowIn(join(root, 'tmp'));
  const host = { ...flow.host, path: [toolFolder] };
  expect(await withoutNetwork(host, flow.signal)).toEqual([]);
  writeFileSync(join(root, 'web.tgz'), chartWith('{}'));
  const component = { ...plain, folder: root, entry: 'web.tgz' };
  expect(await objectsBy(helm, component, { ...flow, host })).toHaveLength(1);
});

judged('kustomize fetches nothing that its plugins are told to read', ['kubectl'], async () => {
  const resources = 'resources: [map.yaml]\n';
  const map = { 'web/map.yaml': configMap('a') };
  const patch = (path: string): string =>
    `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: ${path}\ntarget: {kind: ConfigMap}\n`;
  const generator = (file: string): string =>
    `apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: g}\nfiles: [${file}]\n`;
  const cases: Record<string, Planted>[] = [
    { 'web/kustomization.yaml': `${resources}transformers: [p.yaml]\n`, 'web/p.yaml': patch(`${address}/p.yaml`) },
    { 'web/kustomization.yaml': `${resources}generators: [g.yaml]\n`, 'web/g.yaml': generator(`a=${address}/g`) },
    { 'web/kustomization.yaml': `${resources}generators: [g.yaml]\n`, 'web/g.yaml': generator(`${address}/g`) },
    {
      'web/kustomization.yaml': `${resources}generators: [./gen]\n`,
      'web/gen/kustomization.yaml': 'resources: [g.yaml]\n',
      'web/gen/g.yaml': generator(`a=${address}/g`),
    },
    { 'web/kustomization.yaml': `${resources}patches: [{path: "${address}/p.yaml"}]\n` },
    { 'web/kustomization.yaml': `${resources}openapi: {path: "${address}/o.json"}\n` },
    { 'web/kustomization.yaml': `resources: ["${address}/r.yaml"]\n` },
  ];
  for (const [at, files] of cases.entries()) {
    const root = plant(join(folder, `kustomize-${at}`), { ...map, ...files });
    const remote = { code: 'component-invalid', message: expect.stringContaining('remote') };
    await expect(kustomize.collect(specOf('kustomize', root, 'web'))).rejects.toMatchObject(remote);
    const component = { ...plain, folder: root, entry: 'web' };
    await expect(objectsBy(kustomize, component, flowIn(join(root, 'tmp')))).rejects.toMatchObject(remote);
  }
  const host = [
    { 'web/kustomization.yaml': `${resources}transformers: [p.yaml]\n`, 'web/p.yaml': patch(canary) },
    { 'web/kustomization.yaml': `${resources}generators: [g.yaml]\n`, 'web/g.yaml': generator(`a=${canary}`) },
  ];
  for (const [at, files] of host.entries()) {
    const root = plant(join(folder, `kustomize-host-${at}`), { ...map, ...files });
    const rendering = objectsBy(kustomize, { ...plain, folder: root, entry: 'web' }, flowIn(join(root, 'tmp')));
    const error = await rendering.then(JSON.stringify, String);
    expect(error).toContain('is not in or below');
    expect(error).not.toContain(SECRET);
  }
  expect(requests).toBe(0);
});

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
