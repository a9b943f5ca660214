/** Words at the end of a name that say that the value is a secret. */
const secrets: ReadonlySet<string> = new Set([
  ...['password', 'passwort', 'kennwort', 'passwd', 'pwd', 'pw', 'pass', 'passphrase', 'passcode', 'passkey', 'pin'],
  ...['psk', 'secret', 'token', 'credential', 'cred', 'creds', 'dsn', 'otp', 'totp', 'mnemonic', 'salt', 'cookie'],
  ...['jwt', 'bearer', 'pat', 'hmac', 'dockerconfigjson', 'dockercfg', 'masterauth', 'kek', 'dek', 'preshared'],
  ...['contrasena', 'senha', 'parola', 'geheimnis'],
]);

/** The same where a name is written in one word: `dbpassword`. */
const endings: readonly string[] = [
  ...['password', 'passwd', 'passphrase', 'secret', 'token', 'credential', 'pass', 'pwd', 'pw'],
  ...['api', 'app', 'private', 'secret', 'access', 'encryption', 'signing', 'shared', 'master', 'session', 'auth'].map(
    (one) => `${one}key`,
  ),
  ...['account', 'storage', 'license', 'service', 'deploy', 'hmac', 'ssh', 'jwt', 'tls', 'ssl'].map(
    (one) => `${one}key`,
  ),
];

/** Words that end like that, and mean something else. */
const innocent: ReadonlySet<string> = new Set(['bypass', 'compass', 'encompass', 'surpass', 'trespass', 'overpass']);

/** What a key is for that anybody may know, such as one of a table; all others may be keys of ciphers. */
const plainKeys: ReadonlySet<string> = new Set([
  ...['public', 'pub', 'authorized', 'known', 'trusted', 'allowed', 'publishable', 'verification', 'verify'],
  ...['primary', 'foreign', 'unique', 'composite', 'candidate', 'sort', 'partition', 'range', 'hash', 'row', 'column'],
  ...[
    'index',
    'cache',
    'map',
    'dict',
    'object',
    'group',
    'label',
    'annotation',
    'metadata',
    'header',
    'query',
    'topology',
  ],
  ...[
    'name',
    'value',
    'field',
    'item',
    'entity',
    'event',
    'metric',
    'tag',
    'type',
    'resource',
    'project',
    'file',
    'path',
  ],
  ...[
    'env',
    'config',
    'setting',
    'property',
    'attribute',
    'feature',
    'flag',
    'option',
    'translation',
    'message',
    'routing',
  ],
  ...[
    'idempotency',
    'tree',
    'bucket',
    'lock',
    'registry',
    'hot',
    'shortcut',
    'start',
    'end',
    'min',
    'max',
    'first',
    'last',
  ],
  ...[
    'next',
    'previous',
    'missing',
    'required',
    'ignored',
    'excluded',
    'extra',
    'sorted',
    'duplicate',
    'repeated',
    'unknown',
  ],
]);

/** Words behind the name of a secret that only say how it is written, or which one of several it is. */
const forms: ReadonlySet<string> = new Set([
  ...['hash', 'base', 'value', 'data', 'string', 'text', 'plain', 'plaintext', 'raw', 'hex', 'b', 'pem', 'der', 'jks'],
  ...['json', 'yaml', 'content', 'literal', 'encoded', 'encrypted', 'enc', 'code'],
  ...['old', 'new', 'previous', 'prev', 'current', 'next', 'backup', 'original', 'initial', 'default', 'temp', 'tmp'],
]);

/**
 * Whether the name of a field or a variable says that its value is a secret: by its parts, in the singular or the
 * plural.
 */
export function namesSecret(name: string): boolean {
  return saysSecret(partsOf(name));
}

function saysSecret(parts: readonly string[]): boolean {
  const last = parts.at(-1);
  if (last === undefined) return false;
  if (secrets.has(last)) return true;
  if (!innocent.has(last) && endings.some((ending) => last.endsWith(ending))) return true;
  const before = parts.slice(0, -1);
  const previous = before.at(-1);
  if (last === 'key') return previous !== undefined && !plainKeys.has(previous);
  if (last === 'string' && ['connection', 'community', 'auth'].includes(previous ?? '')) return true;
  if (last === 'code' && previous === 'recovery') return true;
  if (last === 'auth') return ['basic', 'proxy', 'npm'].includes(previous ?? '') || previous?.endsWith('cli') === true;
  if (last === 'url' || last === 'uri') return previous === 'webhook' || previous === 'sas';
  if (last === 'id') return previous === 'secret';
  return forms.has(last) && saysSecret(before);
}

/** The words of a name, in small letters, without numbers at their ends, marks on letters, and the `s` of a plural. */
function partsOf(name: string): string[] {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/);
  return words.flatMap((word) => {
    const plain = withoutNumber(word.toLowerCase());
    if (plain === '') return [];
    return secrets.has(plain) || plain === 'sas' || !/[^s]s$/.test(plain) ? [plain] : [plain.slice(0, -1)];
  });
}

function withoutNumber(word: string): string {
  let end = word.length;
  while (end > 0 && word[end - 1]! >= '0' && word[end - 1]! <= '9') end -= 1;
  return word.slice(0, end);
}
