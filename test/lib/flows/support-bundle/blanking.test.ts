import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankingOf, namedSecrets } from '../../../../lib/flows/support-bundle/blanking/index.ts';

const secret = 'corr3ct-h0rse/battery+staple&<ß>';
const { text, part, data } = blankingOf([secret]);
const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');
const base64url = (value: string): string => Buffer.from(value).toString('base64url');

/** What a text says once everything in it is decoded, as far as that leads to text. */
const forms: Record<string, string> = {
  plain: secret,
  'in Base64': base64(secret),
  'in Base64 for URLs': base64url(secret),
  'in Base64 twice': base64(base64(secret)),
  'in Base64 with words around it': base64(`the password is ${secret}, and no other`),
  'in Base64 within Base64 with words around it': base64(`{"data":"${base64(`x${secret}y`)}"}`),
  'in gzip and Base64': base64(gzipSync(secret)),
  'in gzip and Base64 twice, as Helm keeps releases': base64(base64(gzipSync(`{"p":"${secret}"}`))),
  'in gzip behind other bytes': base64(Buffer.concat([Buffer.from('abc'), gzipSync(secret)])),
  'in zlib and Base64': base64(deflateSync(secret)),
  'in JSON': JSON.stringify({ a: secret }),
  'in JSON of Go': '"corr3ct-h0rse/battery+staple\\u0026\\u003cß\\u003e"',
  'in JSON within JSON': JSON.stringify(JSON.stringify({ a: secret })),
  'in a URL': `https://example.com/x/${encodeURIComponent(secret)}/y`,
  'in hexadecimal': Buffer.from(secret).toString('hex'),
  'in gzip in hexadecimal': gzipSync(secret).toString('hex'),
  'in Base64 over several lines': base64(`a long text that goes before it, and ends: ${secret}`).replace(
    /.{20}/g,
    '$&\n',
  ),
  'in Base64 over several lines in JSON': JSON.stringify(
    base64(base64(`and so on: ${secret}`)).replace(/.{20}/g, '$&\n'),
  ),
};

describe('a known secret', () => {
  for (const [form, written] of Object.entries(forms)) {
    test(`is blanked ${form}, and what stands around it stays`, () => {
      const shown = text(`before ${written} after`);
      expect(shown).toContain('***');
      expect(shown).toMatch(/^before /);
      expect(shown).toMatch(/ after$/);
      for (const part of [secret, base64(secret), written.slice(4, -4)]) expect(shown).not.toContain(part);
    });
  }

  test('is blanked wherever it stands, whatever is around it', () => {
    const word = fc.string({ minLength: 6, maxLength: 60 });
    fc.assert(
      fc.property(word, word, fc.nat({ max: 3 }), (before, known, deep) => {
        fc.pre(known.trim().length > 5);
        let written = `${before}${known}`;
        for (let at = 0; at < deep; at += 1) written = base64(written);
        const shown = blankingOf([known]).text(written);
        expect(shown).not.toBe(written);
        expect(shown).not.toContain(known);
      }),
      { numRuns: 300 },
    );
  });

  test('is blanked as a part of another one, and where two overlap', () => {
    const both = blankingOf(['secret-one', 'one-and-two', 'cret']);
    expect(both.text('a secret-one-and-two b')).toBe('a *** b');
    expect(both.part('a secret-one-and-two b')).toBe('a *** b');
  });

  test('is blanked in parts where it is long', () => {
    const long = Array.from({ length: 900 }, (_, at) => `line-${at}`).join(',');
    const shown = blankingOf([long]).text(`x ${long} y`);
    expect(shown).not.toMatch(/line-\d/);
  });

  test('is blanked in data: in values, in names, and in texts within', () => {
    const shown = JSON.stringify(data({ [secret]: [secret, { deep: `x${base64(secret)}` }], n: 1, none: null }));
    expect(shown).toBe('{"***":["***",{"deep":"***"}],"n":1,"none":null}');
  });

  test.each([
    ['a file in YAML', 'db:\n  user: ada\n  password: "hunter22"\n'],
    ['a file of variables', 'MODE=fast\nexport DB_PASSWORD=hunter22\n'],
    ['JSON', '{"mode": "fast", "db": [{"password": "hunter22"}]}'],
    ['a URL', 'postgres://ada:hunter22@db/x'],
  ])('is blanked alone, too, where it is a part of %s', (_what, whole) => {
    const shown = blankingOf([whole]).text(`ada is fast, and ${base64('hunter22')} is no hunter22`);
    expect(shown).toBe('ada is fast, and *** is no ***');
  });

  test('of fewer than four characters is left, since it stands in every word', () => {
    expect(blankingOf(['abc', '']).text('abc and more')).toBe('abc and more');
  });
});

describe('what looks like a secret', () => {
  const token = `${base64url('{"alg":"RS256"}')}.${base64url('{"sub":"system:serviceaccount:shop:web"}')}.c2lnbmF0dXJl`;
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA\nabc=\n-----END EC PRIVATE KEY-----';

  test.each([
    ['a user and a password in a URL', 'postgres://ada:pa@ss@db:5432/x', 'postgres://***@db:5432/x'],
    [
      'the query of an address',
      'GET https://s3.example.com/a?X-Amz-Signature=12 done',
      'GET https://s3.example.com/a?*** done',
    ],
    ['a token', `using ${token}, it failed`, 'using ***, it failed'],
    ['a token in a header', 'Authorization: Bearer 0123456789abcdef', 'Authorization: Bearer ***'],
    ['a login in a header', 'authorization = ["Basic YWRhOnB3"]', 'authorization = ["Basic ***"]'],
    ['a private key', `a\n${key}\nb`, 'a\n***\nb'],
    ['a private key in JSON', JSON.stringify({ a: key }), '{"a":"***"}'],
    ['a private key whose end was cut', `a\n${key.slice(0, 40)}`, 'a\n***'],
    ['a private key whose beginning was cut', `${key.slice(40)}\nb`, '***\nb'],
    ['what is assigned to a name', 'with DB_PASSWORD=x1y2 and api-key: z3', 'with DB_PASSWORD=*** and api-key: ***'],
    ['what is assigned in JSON within JSON', '{\\"password\\":\\"x1y2\\"}', '{\\"password\\":\\"***\\"}'],
    ['a setting of a variable, with spaces', 'ADMIN_PASSWORD=a b c', 'ADMIN_PASSWORD=***'],
  ])('is blanked: %s', (_what, written, shown) => {
    expect(blankingOf([]).text(written)).toBe(shown);
  });

  test('is blanked in Base64, too', () => {
    expect(blankingOf([]).text(`x ${base64(key)} y`)).toBe('x *** y');
  });

  test('is blanked in data by the name of a field, a variable, or the argument before', () => {
    const shown = blankingOf([]).data({
      adminPassword: 'x y',
      env: [
        { name: 'API_TOKEN', value: 'abc' },
        { name: 'MODE', value: 'fast' },
      ],
      args: ['--password', 'x y', '--mode', 'fast'],
      secretName: 'web',
      automountServiceAccountToken: true,
    });
    expect(shown).toEqual({
      adminPassword: '***',
      env: [
        { name: 'API_TOKEN', value: '***' },
        { name: 'MODE', value: 'fast' },
      ],
      args: ['--password', '***', '--mode', 'fast'],
      secretName: 'web',
      automountServiceAccountToken: true,
    });
  });

  test('leaves what is none', () => {
    const plain = [
      'Pod web-7c5d4f9b8-x2x9k in shop: Back-off restarting failed container',
      'sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
      '/var/lib/kubelet/pods/0b7c9c1e-3c1a-4f3e-9a53-7a1bd5c3f9b0/volumes/kubernetes.io~projected',
      'secret "web-login" not found',
      'registry.example.com/shop/web:1.0.0',
    ];
    for (const line of plain) expect(text(line)).toBe(line);
  });

  test('takes no time to speak of, whatever the text is', () => {
    const cruel = ['eyJ'.repeat(50_000), 'A'.repeat(200_000), '-----BEGIN '.repeat(20_000), '://'.repeat(50_000)];
    for (const one of cruel) expect(text(one).length).toBeGreaterThan(0);
    expect(part('x'.repeat(200_000))).toHaveLength(200_000);
  });
});

test('texts below names of secrets are secrets, but words of every day', () => {
  expect(
    namedSecrets({ auth: { password: 'hunter22', token: 'on' }, list: [{ apiKey: 'abcdef' }], mode: 'fastest' }),
  ).toEqual(['hunter22', 'abcdef']);
});
