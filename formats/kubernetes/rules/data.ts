import { sizePair } from '../../size-words.ts';
import { fieldOf, isFields, type ReportProblem } from '../problems.ts';

/** Bytes that the values of a ConfigMap or Secret may have together. */
const SIZE = 1024 * 1024;

/** The keys that a Secret of a type has to have. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** Reports keys and sizes that no API server takes in a ConfigMap or a Secret. */
export function checkData(object: { readonly kind: string }, report: ReportProblem): void {
  let size = 0;
  const keys = new Set<string>();
  for (const field of ['data', 'binaryData', 'stringData']) {
    const data = fieldOf(object, field);
    if (!isFields(data)) continue;
    for (const [key, value] of Object.entries(data)) {
      if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === '.' || key.startsWith('..')) {
        report([field, key], 'is not a key: it takes letters, digits, "-", "_" and ".", 253 characters at most');
      }
      if (field === 'binaryData' && keys.has(key)) report([field, key], 'is in data as well');
      keys.add(key);
      if (typeof value === 'string')
        size += field === 'data' && object.kind === 'Secret' ? 0 : Buffer.byteLength(value);
    }
  }
  // Half of what base64 takes is enough to be sure.
  if (object.kind === 'ConfigMap' && fieldOf(object, 'binaryData') === undefined && size > SIZE) {
    const [most, own] = sizePair(SIZE, size);
    report(['data'], `has ${most} at most, not ${own}`);
  }
  if (object.kind !== 'Secret') return;
  for (const key of needed[String(fieldOf(object, 'type'))] ?? [])
    if (!keys.has(key)) report(['data', key], 'is missing');
}
