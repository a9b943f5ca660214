import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { HOME, parentName } from '../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { map, stated } from '../../lib/parts/clusters/kubernetes/support.ts';
import type { TestNode } from '../node.ts';
import { until } from '../until.ts';
import { space } from './requests.ts';
import { image, type Recipe, type Workshop } from './solutions.ts';

/** A Solution in a namespace of its name, of which version 1.0.0 is installed and ready. */
export interface Shop {
  /** Version 2.0.0: in one component the namespace, the Service in front of the Pod, and these objects. */
  second(...objects: readonly KubernetesObject[]): Recipe;
  /** Every object in its namespace, and its inventory, each with its resourceVersion. */
  versions(): Promise<string[]>;
  /** Makes sure that the objects of version 1.0.0 are there, and that its Pod serves. */
  stands(): Promise<void>;
  /** What its Service answers. */
  page(): Promise<string>;
}

/** What the containers and the Pods of a workload are to be, beside what they have to be. */
export interface More {
  readonly container?: object;
  readonly pod?: object;
  /** Left out: `app`, the name of the workload. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Deployment of one Pod of busybox at `namespace/name`. */
export function workload(
  place: string,
  { container = {}, pod = {}, labels = appOf(place) }: More = {},
): KubernetesObject {
  const containers = [{ name: 'app', image, ...container }];
  const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers, ...pod } };
  return stated('apps/v1', 'Deployment', place, { spec: { selector: { matchLabels: labels }, template } });
}

function appOf(place: string): { readonly app: string } {
  return { app: place.split('/')[1]! };
}

/** The web server of a shop, which answers `page`. */
export function web(name: string, page: string, { container, ...more }: More = {}): KubernetesObject {
  const readinessProbe = { tcpSocket: { port: 8080 }, periodSeconds: 1 };
  const serving = shell(`mkdir /www; echo ${page} > /www/index.html; exec httpd -f -p 8080 -h /www`);
  return workload(`${name}/web`, { container: { ...serving, readinessProbe, ...container }, ...more });
}

/** A line of shell, as the command of a container. */
export function shell(line: string): { readonly command: readonly string[] } {
  return { command: ['/bin/sh', '-c', line] };
}

/** Installs version 1.0.0 of a shop: a web server, a ConfigMap that 2.0.0 does not have, and `more`. */
export async function openShop(
  name: string,
  { installs }: Workshop,
  node: TestNode,
  ...more: readonly KubernetesObject[]
): Promise<Shop> {
  await installs(recipe(name, '1.0.0', [web(name, 'first'), map(`${name}/first`), ...more]));
  return {
    second: (...objects) => recipe(name, '2.0.0', objects),
    versions: () => versionsIn(name, node),
    stands: async () => {
      const objects = [web(name, ''), ...front(name), map(`${name}/first`), ...more];
      const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      await node.kubectl('get', ...names, '-n', name);
      await until(
        () => pageOf(name, node),
        (page) => page === 'first',
      );
    },
    page: () => pageOf(name, node),
  };
}

function recipe(name: string, version: string, objects: readonly KubernetesObject[]): Recipe {
  return { name, version, parts: [{ name: 'all', objects: [...front(name), ...objects] }] };
}

function front(name: string): KubernetesObject[] {
  const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
  return [space(name), stated('v1', 'Service', `${name}/web`, { spec })];
}

async function versionsIn(name: string, node: TestNode): Promise<string[]> {
  const kinds = 'configmaps,deployments,jobs,replicasets,resourcequotas,services,serviceaccounts,statefulsets';
  const fields = '{.metadata.namespace}/{.metadata.name} {.kind} {.metadata.resourceVersion}{"\\n"}';
  const lines = await node.kubectl('get', kinds, '-A', '-o', `jsonpath={range .items[*]}${fields}{end}`);
  const own = [`${name}/`, `${HOME}/${parentName(name)} `];
  return lines.split('\n').filter((line) => own.some((start) => line.startsWith(start)));
}

/** What the Service of a web server in a namespace answers. */
export async function pageOf(name: string, node: TestNode): Promise<string> {
  const { spec } = await node.get<{ spec: { clusterIP: string } }>('service', 'web', '-n', name);
  const ask = `require('node:http').get('http://${spec.clusterIP}/', (answer) => answer.pipe(process.stdout))`;
  return (await node.ok(process.execPath, ['-e', ask])).trim();
}
