import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many objects there are, by how they are made; together with their namespace they are 2,000. */
const shares: readonly (readonly [count: number, make: (at: number, version: number) => string])[] = [
  [1000, configMap],
  [200, deployment],
  [200, account],
  [200, role],
  [200, service],
  [199, secret],
];

const NAMESPACE = 'life';

/**
 * Writes manifests of 2,000 objects to the file `path`: 1,000 ConfigMaps, 200 Deployments that ask for no Pod, and
 * others. Those of another version differ in every tenth one.
 */
export function writeObjects(path: string, version: number): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const objects = shares.flatMap(([count, make]) =>
    Array.from({ length: count }, (_, at) => make(at, at % 10 === 0 ? version : 1)),
  );
  const home = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${NAMESPACE}}\n`;
  writeFileSync(path, [home, ...objects].join('---\n'));
}

function named(apiVersion: string, kind: string, name: string, rest: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${NAMESPACE}}\n${rest}`;
}

function configMap(at: number, version: number): string {
  return named(
    'v1',
    'ConfigMap',
    `settings-${at}`,
    `data: {number: "${at}", version: "${version}", text: "${'x'.repeat(500)}"}\n`,
  );
}

function secret(at: number, version: number): string {
  return named('v1', 'Secret', `secret-${at}`, `stringData: {number: "${at}", version: "${version}"}\n`);
}

function account(at: number, version: number): string {
  return named('v1', 'ServiceAccount', `account-${at}`, `automountServiceAccountToken: ${version === 1}\n`);
}

function role(at: number, version: number): string {
  const verbs = version === 1 ? '[get]' : '[get, list]';
  return named(
    'rbac.authorization.k8s.io/v1',
    'Role',
    `role-${at}`,
    `rules: [{apiGroups: [""], resources: [pods], verbs: ${verbs}}]\n`,
  );
}

function service(at: number, version: number): string {
  return named(
    'v1',
    'Service',
    `service-${at}`,
    `spec: {selector: {app: "web-${at}"}, ports: [{port: ${8000 + version}}]}\n`,
  );
}

function deployment(at: number, version: number): string {
  const container = `{name: web, image: "registry.example.com/web:1", args: ["${version}"]}`;
  return named(
    'apps/v1',
    'Deployment',
    `web-${at}`,
    `spec:
  replicas: 0
  selector: {matchLabels: {app: "web-${at}"}}
  template:
    metadata: {labels: {app: "web-${at}"}}
    spec: {containers: [${container}]}
`,
  );
}
