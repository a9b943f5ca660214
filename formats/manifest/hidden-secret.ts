import { isRecord } from '../record.ts';
import type { KubernetesObject } from './object.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const HIDDEN = '***';

/** Returns an object as it may be shown: a Secret with the names of its values alone. */
export function hiddenSecret<One extends KubernetesObject>(object: One): One {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object;
  const { annotations: own } = object.metadata;
  const { [LAST_APPLIED]: _, ...annotations } = isRecord(own) ? own : {};
  const metadata = { ...object.metadata, ...(isRecord(own) ? { annotations } : {}) };
  return { ...object, metadata, ...hiddenAt(object, 'data'), ...hiddenAt(object, 'stringData') };
}

function hiddenAt(object: KubernetesObject, field: 'data' | 'stringData'): Readonly<Record<string, unknown>> {
  const values = object[field];
  if (!isRecord(values)) return {};
  return { [field]: Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN])) };
}
