import { namesSecret } from '../../../../formats/secret-names.ts';

/**
 * Fields of what refers to a secret, and is none: those of a Secret in a volume, of a token that is projected, of a
 * reference.
 */
const referring: ReadonlySet<string> = new Set([
  ...[
    'name',
    'secretName',
    'namespace',
    'key',
    'optional',
    'items',
    'defaultMode',
    'mode',
    'kind',
    'apiVersion',
    'group',
  ],
  ...['uid', 'path', 'audience', 'expirationSeconds', 'resourceVersion', 'fieldPath'],
]);

/** Keys that Secrets have, besides those that say that their values are secret. */
const usual: ReadonlySet<string> = new Set([
  ...[
    'username',
    'user',
    'ca.crt',
    'tls.crt',
    'tls.key',
    'ca-bundle.crt',
    'config',
    'value',
    'data',
    'key',
    'url',
    'uri',
  ],
  ...['host', 'auth', 'namespace', 'htpasswd', 'kubeconfig', 'ssh-privatekey', 'config.json'],
]);

/** Whether a value below such a name only says where the secret is. */
export function refersToSecret(value: object): boolean {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every(isReference);
}

/** Whether a field of a reference says where the secret is, and could not be the secret. */
export function tellsPlace(field: string, value: unknown): boolean {
  if (field !== 'key' && field !== 'path') return true;
  return typeof value !== 'string' || usual.has(value) || namesSecret(value) || value.startsWith('/');
}

function isReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  const isNamed = ['name', 'secretName', 'expirationSeconds'].some((name) => names.includes(name));
  return isNamed && names.every((name) => referring.has(name));
}
