import { pauseImage } from '../../../../../../../../scripts/node/state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of `type`, such as `apps/v1/Deployment`; `path` is its name, or namespace and name. */
export function object(type: string, path: string, fields: Fields = {}): Fields {
  const slash = type.lastIndexOf('/');
  const [name, namespace] = path.split('/').reverse();
  const { metadata, ...rest } = fields as { metadata?: Fields };
  return {
    apiVersion: type.slice(0, slash),
    kind: type.slice(slash + 1),
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...metadata },
    ...rest,
  };
}

/** What a Pod is made from: its one container, and the rest of its spec. */
export function podSpec(container: Fields, pod: Fields = {}): Fields {
  // Busybox, which every node has.
  const app = { name: 'app', image: pauseImage, imagePullPolicy: 'IfNotPresent', ...container };
  return { containers: [app], terminationGracePeriodSeconds: 0, automountServiceAccountToken: false, ...pod };
}

/** A workload of one replica: a Deployment, unless `type` says otherwise. */
export function workload(path: string, container: Fields = {}, pod: Fields = {}, type = 'apps/v1/Deployment'): Fields {
  const labels = { app: path.split('/')[1] };
  const replicas = type.endsWith('DaemonSet') ? {} : { replicas: 1 };
  const template = { metadata: { labels }, spec: podSpec(container, pod) };
  return object(type, path, { spec: { ...replicas, selector: { matchLabels: labels }, template } });
}

/** A Job that is tried once. */
export function job(path: string, restartPolicy: string, container: Fields = {}, spec: Fields = {}): Fields {
  const template = { spec: podSpec(container, { restartPolicy }) };
  return object('batch/v1/Job', path, { spec: { backoffLimit: 0, template, ...spec } });
}

/** A claim of one MiB. */
export function claim(path: string, storageClassName?: string): Fields {
  const resources = { requests: { storage: '1Mi' } };
  const spec = { accessModes: ['ReadWriteOnce'], resources, storageClassName };
  return object('v1/PersistentVolumeClaim', path, { spec });
}

/** A StorageClass. */
export function storageClass(name: string, provisioner: string, volumeBindingMode = 'Immediate'): Fields {
  return object('storage.k8s.io/v1/StorageClass', name, { provisioner, volumeBindingMode });
}

/** A CustomResourceDefinition of group a.example and kind Widget. */
export function definition(plural: string): Fields {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const names = { plural, singular: plural.slice(0, -1), kind: 'Widget' };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const spec = { group: 'a.example', scope: 'Namespaced', names, versions };
  return object('apiextensions.k8s.io/v1/CustomResourceDefinition', `${plural}.a.example`, { spec });
}

/** Runs a line of shell. */
export function shell(line: string): Fields {
  return { command: ['/bin/sh', '-c', line] };
}
