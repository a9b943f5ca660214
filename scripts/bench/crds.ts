import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sizes of the generated CustomResourceDefinitions, in KiB of YAML. */
const sizes = [100, 150, 200, 250, 300, 400, 500, 600, 700, 800];
/** How many objects the chart has, definitions among them. */
const objects = 130;

/**
 * Writes a chart of 130 objects below `folder`, ten of which are CustomResourceDefinitions of 100 to 800 KiB, in its
 * templates, as charts have them whose definitions change with a version. No object of it runs.
 */
export function makeChart(folder: string): void {
  const templates = join(folder, 'templates');
  mkdirSync(templates, { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: many\nversion: 1.0.0\n');
  for (const [at, size] of sizes.entries()) writeFileSync(join(templates, `crd-${at}.yaml`), definition(at, size));
  const kinds = [account, role, binding, configMap, secret, service];
  for (let at = 0; at < objects - sizes.length; at += 1) {
    const text = kinds[at % kinds.length]!(`many-${Math.floor(at / kinds.length)}`);
    writeFileSync(join(templates, `object-${String(at).padStart(3, '0')}.yaml`), text);
  }
}

/** Makes a definition whose schema is as deep and as wordy as those that controller-gen writes. */
function definition(at: number, kibibytes: number): string {
  const kind = `Thing${at}`;
  const lines = [
    'apiVersion: apiextensions.k8s.io/v1',
    'kind: CustomResourceDefinition',
    `metadata: {name: ${kind.toLowerCase()}s.bench.example.com}`,
    'spec:',
    '  group: bench.example.com',
    `  names: {kind: ${kind}, listKind: ${kind}List, plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}}`,
    '  scope: Namespaced',
    '  versions:',
    '    - name: v1',
    '      served: true',
    '      storage: true',
    '      schema:',
    '        openAPIV3Schema:',
    '          type: object',
    '          properties:',
    '            spec:',
    '              type: object',
    '              properties:',
  ];
  let size = 0;
  for (let field = 0; size < kibibytes * 1024; field += 1) {
    const block = fieldOf(field, 16);
    lines.push(block);
    size += block.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

function fieldOf(number: number, indent: number): string {
  const pad = ' '.repeat(indent);
  const words = `Field ${number} says how the controller handles what it finds at place ${(number * 7919) % 10007}.`;
  const nested = Array.from({ length: 6 }, (_, at) =>
    [
      `${pad}    part${at}:`,
      `${pad}      description: |-`,
      `${pad}        ${words}`,
      `${pad}        More information about part ${at}: https://docs.example.com/fields/${number}/parts/${at}`,
      `${pad}      ${at % 3 === 0 ? 'type: string' : at % 3 === 1 ? 'type: integer' : 'type: boolean'}`,
    ].join('\n'),
  );
  return [
    `${pad}field${number}:`,
    `${pad}  description: ${words}`,
    `${pad}  type: object`,
    `${pad}  properties:`,
    ...nested,
  ].join('\n');
}

function account(name: string): string {
  return `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${name}}\n`;
}

function role(name: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: ${name}}\nrules:\n  - apiGroups: [""]\n    resources: [configmaps]\n    verbs: [get, list, watch]\n`;
}

function binding(name: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: ${name}}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name}}\nsubjects:\n  - {kind: ServiceAccount, name: ${name}, namespace: {{ .Release.Namespace }}}\n`;
}

function configMap(name: string): string {
  const data = Array.from({ length: 40 }, (_, at) => `  key-${at}: "value ${at} of {{ .Release.Name }}"`).join('\n');
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${data}\n`;
}

function secret(name: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\ntype: Opaque\nstringData: {password: "kept as it is"}\n`;
}

function service(name: string): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  selector: {app: ${name}}\n  ports: [{name: http, port: 80}]\n`;
}
