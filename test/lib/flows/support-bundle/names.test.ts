import { describe, expect, test } from 'vitest';
import { blankingOf } from '../../../../lib/flows/support-bundle/blanking/index.ts';
import { plainNames, secretData, secretNames, secretTexts } from '../../../support/secret-names.ts';

const { data, text } = blankingOf([]);

const secret = 'c0ffee-hunter';
/** What is left of it, as it is or as a number. */
const left = /c0ffee|19305|12345/;

describe('values below names', () => {
  test('are two hundred names, none of them twice', () => {
    expect(secretNames.length).toBeGreaterThanOrEqual(200);
    expect(new Set([...secretNames, ...plainNames]).size).toBe(secretNames.length + plainNames.length);
  });

  test.each(Object.entries(secretData))('of secrets are blanked in data: %s', (_, shape) => {
    const shown = secretNames.filter((name) => left.test(JSON.stringify(data(shape(name, secret)))));
    expect(shown).toEqual([]);
  });

  test.each(Object.entries(secretTexts))('of secrets are blanked in texts: %s', (_, shape) => {
    const shown = secretNames.filter((name) => left.test(text(shape(name, secret))));
    expect(shown).toEqual([]);
  });

  test('of secrets leave their names', () => {
    for (const name of secretNames) expect(JSON.stringify(data({ [name]: [secret] }))).toBe(`{"${name}":["***"]}`);
  });

  test.each(Object.entries(secretData))('of other things stay in data: %s', (_, shape) => {
    for (const name of plainNames) expect(data(shape(name, secret))).toEqual(shape(name, secret));
  });

  test.each(Object.entries(secretTexts))('of other things stay in texts: %s', (_, shape) => {
    for (const name of plainNames) expect(text(shape(name, secret))).toBe(shape(name, secret));
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

  test('that could be the secret do not stay beside where it is', () => {
    expect(
      data({ credentials: { name: 'web', key: 'c0ffee' }, token: { name: 'web', key: 'admin-password' } }),
    ).toEqual({
      credentials: { name: 'web', key: '***' },
      token: { name: 'web', key: 'admin-password' },
    });
  });

  test('of a list of Secrets, of a patch of one, and of what makes one are blanked', () => {
    const of = (value: unknown): string => JSON.stringify(data(value));
    for (const value of [
      { kind: 'SecretList', items: [{ data: { a: 'c0ffee' }, binaryData: { b: 'c0ffee' } }] },
      { target: { kind: 'Secret', name: 'a' }, patch: '- {op: add, path: /data/x, value: c0ffee}' },
      { secretGenerator: [{ name: 'a', literals: ['plain=c0ffee'] }] },
      { annotations: { last: '{"kind":"Secret","data":{"a":"c0ffee"}}' } },
      { auths: { 'registry.example.com': { auth: Buffer.from('ada:c0ffee').toString('base64') } } },
    ]) {
      expect(of(value)).toContain('***');
      expect(of(value)).not.toMatch(/c0ffee|YWRhOmMwZmZlZQ/);
    }
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

  test.each([
    'kind: Secret\ndata: {x: c0ffee, y: c0ffee}\n',
    '{kind: Secret, data: {x: c0ffee}, stringData: {y: c0ffee}}\n',
    '{"kind":"Secret","data":{"x":"c0ffee"},"stringData":{"y":"c0ffee"}}',
    '{\n  "kind": "Secret",\n  "data": {\n    "x": "c0ffee"\n  }\n}\n',
    'kind: SecretList\nitems:\n- data:\n    a: c0ffee\n',
    'target: {kind: Secret}\npatch: |\n  - op: add\n    path: /data/x\n    value: c0ffee\n',
    'patch: |\n  - {op: add, path: /stringData/x, value: c0ffee}\n',
    'secretGenerator:\n- name: a\n  literals:\n  - x=c0ffee\n',
    'machine x login y password c0ffee\n',
    'bind 0.0.0.0\nrequirepass c0ffee\nmasterauth c0ffee\n',
    'curl -u ada:c0ffee https://example.com/\n',
  ])('have it blanked in every form: %j', (written) => {
    expect(text(written)).toContain('***');
    expect(text(written)).not.toContain('c0ffee');
  });
});
