/** Words at the end of a name that say that the value is a secret. */
const secrets: ReadonlySet<string> = new Set([
  ...['password', 'passwort', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', 'passkey', 'pin', 'psk'],
  ...['secret', 'token', 'credential', 'cred', 'creds', 'dsn', 'apikey', 'privatekey', 'secretkey', 'accesskey'],
]);

/** The same where a name is written in one word: `dbpassword`. */
const endings: readonly string[] = ['password', 'passwd', 'passphrase', 'secret', 'token', 'credential', 'apikey'];

/** What a key is for, or of whom, that nobody may know; a public key is none of these. */
const keys: ReadonlySet<string> = new Set([
  ...['private', 'priv', 'api', 'app', 'access', 'secret', 'encryption', 'encrypt', 'encrypting', 'signing', 'sign'],
  ...['master', 'shared', 'account', 'storage', 'session', 'cookie', 'cipher', 'crypto', 'aes', 'hmac', 'jwt', 'auth'],
  ...['ssh', 'unseal', 'root', 'admin', 'service', 'deploy', 'webhook', 'license', 'recovery', 'join', 'security'],
]);

/** Fields of what refers to a secret, and is none: those of a Secret in a volume, of a token that is projected, of a reference. */
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

/** Whether the name of a field or a variable says that its value is a secret: by its parts, in the singular or the plural. */
export function namesSecret(name: string): boolean {
  const parts = partsOf(name);
  const last = parts.at(-1);
  if (last === undefined) return false;
  if (secrets.has(last) || endings.some((ending) => last.endsWith(ending))) return true;
  const before = parts.slice(0, -1);
  if (last === 'key') return before.some((part) => keys.has(part));
  return last === 'string' && before.at(-1) === 'connection';
}

/** Whether a value below such a name only says where the secret is. */
export function refersToSecret(value: object): boolean {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every(isReference);
}

function isReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  const isNamed = ['name', 'secretName', 'expirationSeconds'].some((name) => names.includes(name));
  return isNamed && names.every((name) => referring.has(name));
}

/** The words of a name, in small letters, without numbers at their ends and without the `s` of a plural. */
function partsOf(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/);
  return words.flatMap((word) => {
    const plain = withoutNumber(word.toLowerCase());
    if (plain === '') return [];
    return secrets.has(plain) || !/[^s]s$/.test(plain) ? [plain] : [plain.slice(0, -1)];
  });
}

function withoutNumber(word: string): string {
  let end = word.length;
  while (end > 0 && word[end - 1]! >= '0' && word[end - 1]! <= '9') end -= 1;
  return word.slice(0, end);
}
