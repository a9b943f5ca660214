import { describe, expect, test } from 'vitest';
import { parsePasswordFile, passwordMatches } from '../../../formats/htpasswd/password-file.ts';
import { matchesShaCrypt, parseShaCrypt } from '../../../formats/htpasswd/sha-crypt.ts';
import { judged, ok } from '../../support/judges.ts';

// The test vectors of U. Drepper, "Unix crypt using SHA-256 and SHA-512", 0.6.
const vectors = [
  ['$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5', 'Hello world!'],
  ['$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA', 'Hello world!'],
  [
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
    'Hello world!',
  ],
  [
    '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
    'Hello world!',
  ],
] as const;

describe('SHA-crypt', () => {
  test.each(vectors)('%s is the hash of its password, and of no other', (text, password) => {
    const crypt = parseShaCrypt(text)!;
    expect(matchesShaCrypt(password, crypt)).toBe(true);
    expect(matchesShaCrypt(`${password}!`, crypt)).toBe(false);
  });

  judged('hashes as openssl does, whatever the length of the password', ['openssl'], async () => {
    for (const id of ['-5', '-6']) {
      for (const password of ['x', 'a: "b", c', 'ünï', 'p'.repeat(64), 'q'.repeat(201)]) {
        const text = (await ok('openssl', ['passwd', id, password])).trim();
        expect(matchesShaCrypt(password, parseShaCrypt(text)!)).toBe(true);
      }
    }
  });

  test('too few rounds are as many as there have to be', () => {
    expect(parseShaCrypt(`$5$rounds=10$salt$${'.'.repeat(43)}`)).toMatchObject({ rounds: 1000 });
  });

  test.each([
    '',
    '$5$',
    '$6$salt$short',
    '$2y$05$abcdefghijklmnopqrstuu',
    'plain',
    `$5$${'s'.repeat(17)}$${'.'.repeat(43)}`,
  ])('%j is none', (text) => {
    expect(parseShaCrypt(text)).toBeUndefined();
  });
});

describe('a file of passwords', () => {
  const [[hash, password]] = vectors;

  test('knows its users by name and password', () => {
    const users = parsePasswordFile(`# who may push\n\nada:${hash}\r\nbob:${vectors[2][0]}\n`);
    expect([...users.keys()]).toEqual(['ada', 'bob']);
    expect(passwordMatches(users, 'ada', password)).toBe(true);
    expect(passwordMatches(users, 'ada', 'wrong')).toBe(false);
    expect(passwordMatches(users, 'eve', password)).toBe(false);
    expect(passwordMatches(users, '__proto__', password)).toBe(false);
  });

  test.each([
    ['', 'no user'],
    ['# nobody', 'no user'],
    ['ada', '1:1: has to be USER:HASH'],
    [`:${hash}`, '1:1: has to be USER:HASH'],
    ['\nada:$2y$05$abc', '2:1: has no SHA-crypt hash ($6$ or $5$) for ada'],
    ['ada:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M=', '1:1: has no SHA-crypt hash'],
    [`ada:${hash}\nada:${hash}`, '2:1: names ada twice'],
  ])('%j is refused', (text, message) => {
    expect(() => parsePasswordFile(text)).toThrow(
      expect.objectContaining({ code: 'htpasswd-invalid', message: expect.stringContaining(message) }),
    );
  });
});
