import { isRecord } from '../../../../formats/record.ts';
import type { LiveObject } from '../api.ts';
import { RECORD } from '../records/secrets.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const HIDDEN = '***';

/** Decides whether a Secret is a record of solpack, which holds no value of a user as it is. */
export function isRecordSecret({ metadata: { labels = {} } }: LiveObject): boolean {
  return labels[RECORD] !== undefined;
}

/** Returns an object as it may be shown: a Secret with the names of its values alone. */
export function shown(object: LiveObject): LiveObject {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object;
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  const metadata = { ...object.metadata, ...(object.metadata.annotations && { annotations }) };
  return { ...object, metadata, ...hiddenAt(object, 'data'), ...hiddenAt(object, 'stringData') };
}

/** Fields in which programs and people repeat what Secrets hold. */
const repeating: ReadonlySet<string> = new Set([
  'data',
  'binaryData',
  'annotations',
  'env',
  'args',
  'command',
  'message',
]);

/** Returns an object without what may repeat a Secret, for where nobody knows what that holds. */
export function withoutRepeating(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRepeating);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, repeating.has(name) ? HIDDEN : withoutRepeating(one)]),
  );
}

function hiddenAt(object: LiveObject, field: 'data' | 'stringData'): Readonly<Record<string, unknown>> {
  const values = object[field];
  if (!isRecord(values)) return {};
  return { [field]: Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN])) };
}
