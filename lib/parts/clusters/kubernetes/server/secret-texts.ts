import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import type { ApplyRequest } from '../../kind.ts';
import { fieldAt, listAt, textAt } from './object-path.ts';

/**
 * Lists the values of a Secret as a program sees them, and as they are stored; nothing for an object of another kind.
 */
export function secretTexts(object: KubernetesObject): string[] {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return [];
  const stored = textsIn(fieldAt(object, 'data'));
  const plain = [...textsIn(fieldAt(object, 'stringData')), ...stored.flatMap(decoded)];
  return [...stored, ...plain, ...plain.flatMap(loginsIn)];
}

/** Lists the values of all Secrets of a request, hooks among them. */
export function requestedSecrets({ solutions }: ApplyRequest): string[] {
  return solutions.flatMap(({ components }) => components.flatMap(({ objects }) => objects.flatMap(secretTexts)));
}

/** Lists the names of the Secrets that a Pod has by its spec: as variables, as volumes, and to pull images with. */
export function secretNames(pod: KubernetesObject): string[] {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    listAt(pod, 'spec', list),
  );
  const volumes = listAt(pod, 'spec', 'volumes');
  const names = [
    ...containers.flatMap((one) =>
      listAt(one, 'env').map((entry) => textAt(entry, 'valueFrom', 'secretKeyRef', 'name')),
    ),
    ...containers.flatMap((one) => listAt(one, 'envFrom').map((entry) => textAt(entry, 'secretRef', 'name'))),
    ...volumes.map((volume) => textAt(volume, 'secret', 'secretName')),
    ...volumes.flatMap((volume) =>
      listAt(volume, 'projected', 'sources').map((source) => textAt(source, 'secret', 'name')),
    ),
    ...listAt(pod, 'spec', 'imagePullSecrets').map((entry) => textAt(entry, 'name')),
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Lists the passwords and tokens in the logins of registries (Kubernetes, "Docker config Secrets"). */
function loginsIn(text: string): string[] {
  if (!text.startsWith('{')) return [];
  try {
    const hosts = Object.values((fieldAt(JSON.parse(text), 'auths') ?? {}) as object);
    const fields = ['password', 'auth', 'identitytoken', 'registrytoken'];
    return hosts.flatMap((host) => fields.map((field) => textAt(host, field))).filter((one) => one !== '');
  } catch {
    return [];
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((one): one is string => typeof one === 'string' && one !== '');
}

/** What is not a text cannot be printed as one. */
function decoded(stored: string): string[] {
  try {
    return [new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(stored, 'base64'))];
  } catch {
    return [];
  }
}
