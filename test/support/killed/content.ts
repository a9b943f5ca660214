import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { jsonSchemas } from '../../../cli/view/json.ts';
import { succeeds } from '../cli.ts';
import type { ControlPlane } from '../control-plane.ts';

/** Things by their names, each as text. */
export type Content = Readonly<Record<string, string>>;

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly managedFields?: readonly {
    readonly manager: string;
    readonly time?: string;
    readonly subresource?: string;
  }[];
}

interface Listed {
  readonly kind: string;
  readonly metadata: Metadata;
  readonly data?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Kinds that live by themselves, or that controllers make of others. */
const others =
  /^(events|leases|componentstatuses|apiservices|ipaddresses|servicecidrs|replicasets|.*\.rbac\.|.*\.flowcontrol\.|controllerrevisions)/;

const kinds = new WeakMap<ControlPlane, readonly string[]>();

/**
 * Reads all that a cluster has, without what differs from run to run: uids, times, counts of versions, and the
 * generations, whose numbers do.
 */
export async function clusterContent(plane: ControlPlane): Promise<Content> {
  const { kubectl } = plane;
  // CustomResourceDefinitions that are there stay there.
  kinds.set(
    plane,
    kinds.get(plane) ?? (await kubectl('api-resources', '--verbs=list', '-o', 'name')).trim().split('\n'),
  );
  const wanted = [...kinds.get(plane)!.filter((kind) => !others.test(kind)), 'leases.coordination.k8s.io'];
  const listed = JSON.parse(await kubectl('get', wanted.join(','), '-A', '-o', 'json')).items as Listed[];
  return Object.fromEntries(
    listed
      .filter(({ kind, metadata }) => kind !== 'Lease' || metadata.namespace === 'solpack-system')
      .filter(({ metadata: { labels } }) => !/^(generation|content)$/.test(labels?.['solpack.io/record-kind'] ?? ''))
      .map((one) => [`${one.kind} ${one.metadata.namespace ?? ''}/${one.metadata.name}`, told(one)]),
  );
}

/** What of `content` the Solutions have themselves, without what solpack keeps of them. */
export function withoutRecords(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !name.includes(' solpack-system/')));
}

/** Returns the names of what differs between two contents, each with both texts. */
export function differences(found: Content, wanted: Content): readonly string[] {
  const names = [...new Set([...Object.keys(found), ...Object.keys(wanted)])].sort();
  return names
    .filter((name) => found[name] !== wanted[name])
    .map((name) => `${name}\n  ${found[name]}\n  ${wanted[name]}`);
}

function told({ status: _, metadata, data, ...rest }: Listed): string {
  const { name, labels, annotations, managedFields = [] } = metadata;
  // How often a Deployment has changed, and which run ran a hook, is not a part of what there is.
  const { 'deployment.kubernetes.io/revision': __, 'solpack.io/hook-run': ___, ...said } = annotations ?? {};
  const managers = managedFields
    .filter(({ manager, subresource }) => manager.startsWith('solpack') && subresource === undefined)
    .map(({ time: _time, ...one }) => one);
  return JSON.stringify({ ...rest, data: dataOf(data, labels), name, labels, annotations: said, managers });
}

/** What an object holds; of a record that is what was compressed, without the numbers of runs. */
function dataOf(data: Listed['data'], labels: Metadata['labels']): unknown {
  const packed = data?.['content'];
  if (packed === undefined) return data;
  // What was applied is remembered with the uids of the objects.
  if (labels?.['solpack.io/record-kind'] === 'applied') return 'a record';
  return gunzipSync(Buffer.from(packed, 'base64'))
    .toString()
    .replace(/"revision":[0-9]+/, '');
}

/** Reads the files below a folder by their digests. */
export function folderContent(folder: string): Content {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => !one.isDirectory());
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      const said = file.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'no file';
      return [path.slice(folder.length + 1), said];
    }),
  );
}

/** Reads what a docker-registry has in its folder, without uploads that nobody finished. */
export function registryContent(data: string): Content {
  return Object.fromEntries(Object.entries(folderContent(data)).filter(([path]) => !path.includes('/_uploads/')));
}

/** Asks for the generations of a configuration, the newest first. */
export async function historyOf(kubeconfig: string, configuration: string) {
  const printed = await succeeds(['history', configuration, '--kubeconfig', kubeconfig, '--json', '--quiet']);
  return jsonSchemas.history.parse(JSON.parse(printed)).generations;
}
