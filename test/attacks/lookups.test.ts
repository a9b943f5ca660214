import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import type { Trusting } from '../../lib/flows/install/trusting.ts';
import type { SolpackError } from '../../lib/kernel/events/errors.ts';
import { loadPolicy, loadPrivateKey, noMemory } from '../../lib/parts/trust/index.ts';
import { writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { InstallSite } from '../support/install-site.ts';
import { judged, scratch } from '../support/judges.ts';
import { makeKey, type TestKey, writePolicy } from '../support/policies.ts';
import { rowOf } from './table.ts';

// A chart makes objects of what it looks up. Whoever may bring objects into one namespace wants what is in others.

const folder = scratch('attacks-lookups');
const at = (...names: string[]): string => join(folder, ...names);
let key: TestKey;

/** A ConfigMap of all that a template prints; what `values` say is evaluated as many charts do it, by `tpl`. */
const template = (data: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data:
  version: ${data}
`;
const found = (kind: string, namespace: string, name: string): string =>
  `{{ lookup "v1" "${kind}" "${namespace}" "${name}" | toJson | quote }}`;

async function packed(name: string, data: string): Promise<void> {
  mkdirSync(at(name));
  writeFiles(at(name), {
    'solution.toml': `name = "shop"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "helm"\npath = "web"\nnamespace = "shop"\ncreate-namespace = true\n`,
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'message: none\n',
    'web/templates/map.yaml': template(data),
  });
  await packHere(at(name, 'solution.toml'), at(`${name}.iso`), { sign: await loadPrivateKey(at('release.key')) });
}

beforeAll(async () => {
  key = makeKey(folder, 'release');
  await packed('secret', found('Secret', 'kube-system', 'token'));
  await packed('all', found('Secret', '', ''));
  await packed('outside', '{{ lookup "example.com/v1" "Tenant" "" "a" | toJson | quote }}');
  await packed('own', found('Secret', 'shop', 'token'));
  await packed('node', found('Namespace', '', 'kube-system'));
  await packed('tpl', '{{ tpl .Values.message . | quote }} # or by lookup');
});

/** A policy by which the key may bring objects into one namespace. */
async function trusting(): Promise<Trusting> {
  const policies = [{ match: 'shop', keys: [key.id], allow: { namespaces: ['shop'] } }];
  const path = writePolicy(at('trust.json'), [key], { policies });
  const basis = { policy: await loadPolicy(path), clock: Math.floor(Date.now() / 1000), memory: noMemory };
  return { basis, state: at('state'), allowDowngrade: true };
}

const SECRET = 'Y29ybnVjb3BpYQ==';
const scope = { group: 'example.com', scope: 'Cluster', names: { kind: 'Tenant', plural: 'tenants' } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'tenants.example.com' },
  spec: { ...scope, versions: [{ name: 'v1', served: true, storage: true }] },
};

/** A cluster with a Secret in each of two namespaces, and a kind that is of none. */
async function site(): Promise<InstallSite> {
  const one = new InstallSite(folder);
  const { signal } = new AbortController();
  const api = one.memory.connect();
  const have = async (object: KubernetesObject): Promise<void> => void (await api.apply(object, {}, signal));
  await have(definition);
  await have({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  for (const namespace of ['shop', 'kube-system'])
    await have({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace }, data: { token: SECRET } });
  one.memory.rest();
  return one;
}

async function installs(name: string, values = ''): Promise<{ error: SolpackError | undefined; version: unknown }> {
  const one = await site();
  const document = `solutions: [{name: shop, archives: ["${name}.iso"]${values}}]\n`;
  const error = await one.installs(document, 'run', { trust: await trusting() });
  return { error, version: one.versions()['shop'] };
}

const judges = ['helm'] as const;

for (const [name, words] of [
  ['own', SECRET],
  ['node', '"kind":"Namespace"'],
] as const) {
  judged(
    `a chart finds what its policy allows, and what Kubernetes has outside of namespaces: ${name}`,
    judges,
    async () => {
      const { error, version } = await installs(name);
      expect([error, version]).toEqual([undefined, expect.stringContaining(words)]);
    },
  );
}

const values = `, values: {web: [{message: ${JSON.stringify(found('Secret', 'kube-system', 'token'))}}]}`;

for (const [attack, archive, refusal, more] of [
  [
    'a chart that looks up a Secret of a namespace that the policy does not allow',
    'secret',
    'Secret kube-system/token: ',
  ],
  ['a chart that looks up the Secrets of all namespaces', 'all', 'all secrets: '],
  ['a chart that looks up a kind outside of namespaces that the policy does not allow', 'outside', 'Tenant a: '],
  [
    'values of a configuration by which a chart looks up a Secret elsewhere',
    'tpl',
    'Secret kube-system/token: ',
    values,
  ],
] as const) {
  const { codes, exit } = rowOf(attack);
  judged(`${attack}: ${codes.join(', ')}, exit status ${exit}`, judges, async () => {
    const { error, version } = await installs(archive, more);
    expect(error).toMatchObject({ code: 'not-trusted', exit });
    expect(error?.message).toContain(`its chart looks up ${refusal}`);
    expect(error?.message).toContain(`(${codes[0]})`);
    expect([version, error?.message.includes(SECRET)]).toEqual([undefined, false]);
  });
}
