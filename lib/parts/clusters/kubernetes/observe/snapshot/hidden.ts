import { RESERVED_NAMESPACE } from '../../../../../../formats/manifest/reserved.ts';
import { isRecord } from '../../../../../../formats/record.ts';
import { RECORD } from '../../memory/index.ts';
import type { LiveObject } from '../../server/index.ts';

const HIDDEN = '***';

/**
 * Decides whether a Secret is a record of solpack, which holds no value of a user as it is. Anybody may give that label
 * to a Secret elsewhere.
 */
export function isRecordSecret({ metadata: { namespace, labels = {} } }: LiveObject): boolean {
  return namespace === RESERVED_NAMESPACE && labels[RECORD] !== undefined;
}

/** Fields that are whatever their author wants, with all that is in them. */
const free: ReadonlySet<string> = new Set(['data', 'binaryData', 'annotations', 'labels', 'env', 'managedFields']);
/** Fields whose texts Kubernetes gives, or names. */
const telling: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'name', 'namespace', 'uid', 'resourceVersion', 'fieldPath', 'nodeName', 'image', 'imageID'],
  ...['type', 'status', 'reason', 'phase', 'restartPolicy', 'creationTimestamp', 'deletionTimestamp', 'startTime'],
  ...['startedAt', 'finishedAt', 'lastTransitionTime', 'lastTimestamp', 'firstTimestamp', 'eventTime'],
]);

/**
 * Returns an object without what may repeat a Secret, for the case that it is unknown what that holds: the bare state
 * is left.
 */
export function withoutRepeating(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return telling.has(field) ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((one) => withoutRepeating(one, field));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, free.has(name) ? HIDDEN : withoutRepeating(one, name)]),
  );
}
