import { expect } from 'vitest';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { map, stated } from '../../lib/clusters/kubernetes/support.ts';
import type { TestNode } from '../node.ts';
import { deployment, space } from './requests.ts';
import { image, type Recipe, type Workshop } from './solutions.ts';

/** A Solution in a namespace of its name, of which version 1.0.0 is installed and ready. */
export interface Shop {
  readonly name: string;
  /** Version 2.0.0: without what 1.0.0 has beside its Service; in one component, with those objects. */
  second(...objects: readonly KubernetesObject[]): Recipe;
  /** Every object in its namespace and in that of the inventory, with its resourceVersion. */
  versions(): Promise<string[]>;
  /** Makes sure that all of version 1.0.0 is there, that its Pod serves, and that it can be gone back to. */
  stands(): Promise<void>;
}

/** The Deployment of a shop: one Pod that answers `page` on port 8080; `more` are fields of its container. */
export function web(name: string, page: string, more: object = {}): KubernetesObject {
  const script = `mkdir /www; echo ${page} > /www/index.html; exec httpd -f -p 8080 -h /www`;
  const readinessProbe = { tcpSocket: { port: 8080 }, periodSeconds: 1 };
  return deployment(`${name}/web`, { image, command: ['/bin/sh', '-c', script], readinessProbe, ...more }, 'web');
}

/** A workload beside the web server. */
export function sleeper(place: string, more: object = {}): KubernetesObject {
  return deployment(place, { image, ...more });
}

/** What every version of a shop has: its namespace, and the Service in front of its Pod. */
export function front(name: string): KubernetesObject[] {
  const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
  return [space(name), stated('v1', 'Service', `${name}/web`, { spec })];
}

/** Installs version 1.0.0 of a shop: with a web server, a ConfigMap that 2.0.0 does not have, and `more`. */
export async function openShop(
  name: string,
  { installs }: Workshop,
  node: TestNode,
  ...more: readonly KubernetesObject[]
): Promise<Shop> {
  const first = recipe(name, '1.0.0', [web(name, 'first'), map(`${name}/first-only`), ...more]);
  await installs(first);
  return {
    name,
    second: (...objects) => recipe(name, '2.0.0', objects),
    versions: () => versionsIn(name, node),
    stands: async () => {
      const names = [`deployment/web`, 'service/web', 'configmap/first-only'];
      expect(await node.kubectl('get', ...names, '-n', name, '-o', 'name')).toBeTruthy();
      expect(await pageOf(name, node)).toBe('first');
    },
  };
}

function recipe(name: string, version: string, objects: readonly KubernetesObject[]): Recipe {
  return { name, version, parts: [{ name: 'all', objects: [...front(name), ...objects] }] };
}

async function versionsIn(name: string, node: TestNode): Promise<string[]> {
  const kinds = 'configmaps,deployments,jobs,replicasets,resourcequotas,services,serviceaccounts,statefulsets';
  const path = '{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
  const all = [name, 'solpack-system'].map((namespace) =>
    node.kubectl('get', kinds, '-n', namespace, '-o', `jsonpath=${path}`),
  );
  return (await Promise.all(all)).flatMap((lines) => lines.trim().split('\n')).sort();
}

/** What the Service of a shop answers. */
async function pageOf(name: string, node: TestNode): Promise<string> {
  const address = await node.kubectl('get', 'service', 'web', '-n', name, '-o', 'jsonpath={.spec.clusterIP}');
  return (await node.ok('busybox', ['wget', '-qO-', `http://${address}/`])).trim();
}
