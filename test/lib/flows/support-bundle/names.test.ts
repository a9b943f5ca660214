import { describe, expect, test } from 'vitest';
import { blankingOf } from '../../../../lib/flows/support-bundle/blanking/index.ts';

const { data, text } = blankingOf([]);

const secrets = [
  ...[
    'password',
    'Password',
    'passwords',
    'adminPassword',
    'ADMIN_PASSWORD',
    'admin-password',
    'admin.password',
    'dbpassword',
  ],
  ...[
    'passwd',
    'pwd',
    'dbPwd',
    'pass',
    'db.pass',
    'smtp_pass',
    'passphrase',
    'passcode',
    'psk',
    'wifiPsk',
    'unlockPin',
  ],
  ...[
    'secret',
    'secrets',
    'clientSecret',
    'client_secret',
    'CLIENT_SECRET2',
    'sharedSecret',
    'appsecret',
    'oauth2Secret',
  ],
  ...[
    'token',
    'tokens',
    'authToken',
    'AUTH_TOKENS',
    'accesstoken',
    'refresh-token',
    'bearerToken',
    'token1',
    'APIToken',
  ],
  ...[
    'credential',
    'credentials',
    'awsCredentials',
    'creds',
    'dsn',
    'SENTRY_DSN',
    'apikey',
    'apiKey',
    'API_KEY',
    'apiKeys',
  ],
  ...[
    'privateKey',
    'private_key',
    'accessKey',
    'secretKey',
    'encryptionKey',
    'ENCRYPTION_KEYS',
    'signingKey',
    'masterKey',
  ],
  ...['sessionKey', 'storageAccountKey', 'jwtKey', 'hmacKey', 'sshKey', 'connectionString', 'DB_CONNECTION_STRING'],
];

const others = [
  ...[
    'replicas',
    'image',
    'publicKey',
    'public_keys',
    'key',
    'keys',
    'keyRing',
    'tokenReview',
    'tokenTTL',
    'passwordPolicy',
  ],
  ...[
    'secretName',
    'secretKeyRef',
    'secretsManager',
    'passthrough',
    'bypass2fa',
    'compass',
    'monkey',
    'turnkey',
    'primaryKey',
  ],
  ...['sortKey', 'partitionKey', 'string', 'connection', 'host', 'mode', 'author', 'keyspace', 'tokenizer', 'pinned'],
];

const shapes: Readonly<Record<string, (value: string) => unknown>> = {
  text: (value) => value,
  'a number': (value) => Number(`8472${value.length}19305`),
  'a list': (value) => [value, { deep: value }],
  'a mapping': (value) => ({ key: value, other: { more: [value, 12345] } }),
};

describe('values below names', () => {
  test('are more than two hundred in all', () => {
    expect(secrets.length * Object.keys(shapes).length).toBeGreaterThan(200);
  });

  test.each(Object.entries(shapes))('of secrets are blanked: %s', (_, shape) => {
    for (const name of secrets) {
      const shown = JSON.stringify(data({ [name]: shape('c0ffee-hunter') }));
      expect(shown, name).not.toMatch(/c0ffee|19305|12345/);
      expect(shown, name).toContain(`"${name}"`);
    }
  });

  test.each(Object.entries(shapes))('of other things stay: %s', (_, shape) => {
    for (const name of others)
      expect(data({ [name]: shape('c0ffee-hunter') })).toEqual({ [name]: shape('c0ffee-hunter') });
  });

  test('that only say where a secret is stay, and so do yes and no', () => {
    const plain = {
      imagePullSecrets: [{ name: 'regcred' }],
      secret: { secretName: 'web', defaultMode: 420, items: [] },
      serviceAccountToken: { path: 'token', expirationSeconds: 3600, audience: 'api' },
      automountServiceAccountToken: true,
      password: '',
    };
    expect(data(plain)).toEqual(plain);
  });

  test('of a Secret within something else are blanked, whatever they are called', () => {
    const patch = {
      kind: 'Secret',
      stringData: { plain: 'c0ffee' },
      data: { more: 'aHVudGVy' },
      metadata: { name: 'web' },
    };
    expect(data({ patches: [patch] })).toEqual({
      patches: [{ kind: 'Secret', stringData: { plain: '***' }, data: { more: '***' }, metadata: { name: 'web' } }],
    });
  });
});

describe('texts in YAML', () => {
  test('have what stands in the block of a secret blanked, and nothing behind it', () => {
    const yaml = `adminPassword: 8472619305
passwords:
- alpha-c0ffee
- beta-c0ffee
credentials:
  key: c0ffee
  # c0ffee
  cert: |
    c0ffee
    c0ffee
replicas: 3
imagePullSecrets:
- name: regcred
db: {host: db, pass: c0ffee}
encryptionKey: c0ffee
`;
    const shown = text(yaml);
    expect(shown).not.toMatch(/c0ffee|8472619305/);
    expect(shown).toContain('db: {host: db, pass: ***');
    for (const line of ['replicas: 3', '- name: regcred', 'credentials:', '  key: ***']) {
      expect(shown).toContain(`${line}\n`);
    }
  });

  test('have the data of a Secret blanked, as in an inline patch', () => {
    const patch =
      'patches:\n- target: {kind: Secret}\n  patch: |\n    kind: Secret\n    stringData:\n      plain: c0ffee\n    type: Opaque\n';
    expect(text(patch)).toBe(patch.replace('c0ffee', '***'));
    const secret = 'kind: Secret\ndata:\n  plain: Yw==\ntype: Opaque\n';
    expect(text(secret)).toBe(secret.replace('Yw==', '***'));
    const map = 'kind: ConfigMap\ndata:\n  plain: text\n';
    expect(text(map)).toBe(map);
  });
});
