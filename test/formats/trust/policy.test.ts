import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];

const good = `version = 3
deny = ["sha256:${'0'.repeat(64)}"]

[[keys]]
id = "${first}"
file = "release.pub"
status = "active"
notBefore = 2026-01-01T00:00:00Z

[[keys]]
id = "${second}"
pem = "-----BEGIN PUBLIC KEY-----"
status = "retired"
notAfter = 2027-01-01T00:00:00+01:00

[[policies]]
match = "guestbook"
keys = ["${first}", "${second}"]
threshold = 2
minSequence = 7
requirePredicates = ["https://slsa.dev/provenance/v1"]
maxDaysAhead = 30
movesTime = true

[rotation]
keys = ["${first}"]
threshold = 1
`;

/** The same as JSON writes it. */
const json = {
  version: 3,
  deny: [`sha256:${'0'.repeat(64)}`],
  keys: [
    { id: first, file: 'release.pub', status: 'active', notBefore: '2026-01-01T00:00:00Z' },
    { id: second, pem: '-----BEGIN PUBLIC KEY-----', status: 'retired', notAfter: '2027-01-01T00:00:00+01:00' },
  ],
  policies: [
    {
      match: 'guestbook',
      keys: [first, second],
      threshold: 2,
      minSequence: 7,
      requirePredicates: ['https://slsa.dev/provenance/v1'],
      maxDaysAhead: 30,
      movesTime: true,
    },
  ],
  rotation: { keys: [first], threshold: 1 },
};

function refusal(text: string | Uint8Array): string {
  try {
    parsePolicy(typeof text === 'string' ? utf8(text) : text);
  } catch (error) {
    if (error instanceof FormatError && error.code === 'policy-invalid') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a policy', () => {
  test('says the same in TOML and in JSON', () => {
    const policy = parsePolicy(utf8(good));
    expect(parsePolicy(utf8(JSON.stringify(json, null, 2)))).toEqual(policy);
    expect(policy.keys[0]).toMatchObject({ status: 'active', notBefore: Date.UTC(2026, 0, 1) / 1000 });
    expect(policy.keys[1]).toMatchObject({ notAfter: Date.UTC(2026, 11, 31, 23) / 1000 });
  });

  test('allows nobody anything where it has no rules, and one key to decide where a rule names no number', () => {
    const keys = [{ id: first, file: 'k.pub' }];
    expect(parsePolicy(utf8(JSON.stringify({ version: 1, keys })))).toMatchObject({ policies: [], deny: [] });
    const policies = [{ match: '*', keys: [first] }];
    const { policies: rules } = parsePolicy(utf8(JSON.stringify({ version: 1, keys, policies })));
    expect(rules).toEqual([
      { match: '*', keys: [first], threshold: 1, requirePredicates: [], maxDaysAhead: 1, movesTime: false },
    ]);
  });
});

describe('a policy in TOML is refused, with the place, where', () => {
  test.each([
    ['it is not TOML', good.replace('version = 3', 'version 3'), /^1:\d+: /],
    ['a field is there twice', good.replace('version = 3', 'version = 3\nversion = 4'), /^2:\d+: /],
    [
      'a field is unknown',
      good.replace('minSequence', 'minSequense'),
      /^20:1: policies\.0\.minSequense: unknown field; did you mean "minSequence"\?$/,
    ],
    ['the document has an unknown field', `trusted = true\n${good}`, /^1:1: trusted: unknown field$/],
    ['it has no version', good.replace('version = 3\n', ''), /^1:1: version: is missing$/],
    ['its version is 0', good.replace('version = 3', 'version = 0'), /^1:1: version: /],
    ['its version is not a whole number', good.replace('version = 3', 'version = 1.5'), /^1:1: version: /],
    [
      'its version is beyond what numbers hold',
      good.replace('version = 3', 'version = 9007199254740993'),
      /^1:1: version: /,
    ],
    [
      'an id is none',
      good.replace(`id = "${first}"`, `id = "${first.toUpperCase()}"`),
      /^5:1: keys\.0\.id: has to be the id of a key/,
    ],
    ['two keys have one id', good.replace(`id = "${second}"`, `id = "${first}"`), /11:1: keys\.1\.id: is there twice/],
    [
      'a key has neither PEM nor file',
      good.replace('file = "release.pub"\n', ''),
      /^5:1: keys\.0\.id: needs either "pem" or "file"$/,
    ],
    ['a key has both', good.replace('file = "release.pub"', 'file = "a"\npem = "b"'), /needs either "pem" or "file"/],
    [
      'a status is unknown',
      good.replace('"active"', '"actve"'),
      /^7:1: keys\.0\.status: has to be one of active, retired, revoked, but is "actve"; did you mean "active"\?$/,
    ],
    ['a retired key has no end', good.replace(/notAfter.*\n/, ''), /^13:1: keys\.1\.status: needs a notAfter/],
    [
      'a key ends before it begins',
      good.replace('notBefore = 2026', 'notAfter = 2025-01-01T00:00:00Z\nnotBefore = 2026'),
      /^8:1: keys\.0\.notAfter: is before its notBefore$/,
    ],
    [
      'a date says nothing of its offset',
      good.replace('2026-01-01T00:00:00Z', '2026-01-01T00:00:00'),
      /^8:1: keys\.0\.notBefore: has to be a date and time with its offset/,
    ],
    ['a date is a day', good.replace('2026-01-01T00:00:00Z', '2026-01-01'), /^8:1: keys\.0\.notBefore: /],
    [
      'a date does not exist',
      good.replace('2026-01-01T00:00:00Z', '"2026-02-30T00:00:00Z"'),
      /^8:1: keys\.0\.notBefore: /,
    ],
    [
      'a rule names a key that is not there',
      good
        .replace(`keys = ["${first}", "${second}"]`, `keys = ["${'c'.repeat(64)}"]`)
        .replace('threshold = 2', 'threshold = 1'),
      /^18:9: policies\.0\.keys\.0: is the id of none/,
    ],
    [
      'a rule names a key twice',
      good.replace(`["${first}", "${second}"]`, `["${first}", "${first}"]`),
      /policies\.0\.keys\.1: is there twice/,
    ],
    [
      'a rule names no key',
      good.replace(`keys = ["${first}", "${second}"]`, 'keys = []'),
      /policies\.0\.keys: has to name a key/,
    ],
    [
      'a threshold cannot be met',
      good.replace('threshold = 2', 'threshold = 3'),
      /^19:1: policies\.0\.threshold: is 3, but there are 2 keys$/,
    ],
    ['a threshold is 0', good.replace('threshold = 2', 'threshold = 0'), /^19:1: policies\.0\.threshold: /],
    ['a pattern can be no name', good.replace('"guestbook"', '"Guest/book"'), /^17:1: policies\.0\.match: /],
    [
      'two rules have one pattern',
      `${good}\n[[policies]]\nmatch = "guestbook"\nkeys = ["${first}"]\n`,
      /policies\.1\.match: is duplicated/,
    ],
    [
      'what it denies is not a digest',
      good.replace('sha256:0', 'sha512:0'),
      /^2:\d+: deny\.0: has to be a digest of a root$/,
    ],
    [
      'its rotation cannot be met',
      good.replace('threshold = 1', 'threshold = 2'),
      /rotation\.threshold: is 2, but there are 1 keys/,
    ],
    [
      'it nests without end',
      `deny = ${'['.repeat(2000)}${']'.repeat(2000)}\n${good.replace(/deny.*\n/, '')}`,
      /nests deeper/,
    ],
  ])('%s', (_, text, expected) => {
    expect(refusal(text)).toMatch(expected);
  });
});

describe('a policy in JSON is refused, with the place, where', () => {
  const text = JSON.stringify(json, null, 1);
  test.each([
    ['it is no JSON', text.replace('"version": 3,', '"version": 3'), /^3:\d+: is not JSON from here on$/],
    ['it ends too early', text.slice(0, 40), /^\d+:\d+: is not JSON from here on$/],
    [
      'a field is there twice',
      text.replace('"version": 3,', '"version": 3,\n "version": 4,'),
      /^3:2: version: is there twice$/,
    ],
    [
      'a field is there twice, once in escapes',
      text.replace('"threshold": 2,', '"threshold": 2, "thresh\\u006fld": 1,'),
      /policies\.0\.threshold: is there twice$/,
    ],
    [
      'a field is unknown',
      text.replace('"minSequence"', '"minSequense"'),
      /^\d+:4: policies\.0\.minSequense: unknown field; did you mean "minSequence"\?$/,
    ],
    [
      'a field is of an object’s making',
      text.replace('"version": 3,', '"version": 3, "__proto__": {},'),
      /__proto__: unknown field/,
    ],
    [
      'a date is a number',
      text.replace('"2026-01-01T00:00:00Z"', '1767225600'),
      /keys\.0\.notBefore: has to be a date and time/,
    ],
    [
      'it is the root of an archive',
      '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}',
      /1:2: schemaVersion: unknown field/,
    ],
    [
      'it nests without end',
      text.replace('"version": 3', `"version": ${'['.repeat(20000)}${']'.repeat(20000)}`),
      /version: /,
    ],
  ])('%s', (_, damaged, expected) => {
    expect(refusal(damaged)).toMatch(expected);
  });

  test('it is not UTF-8', () => {
    expect(refusal(Buffer.from([0x7b, 0xff, 0x7d]))).toBe('not valid UTF-8');
  });
});

test('of any damage to a policy, all is either accepted or refused as a policy', () => {
  const damage = fc.record({
    text: fc.constantFrom(good, JSON.stringify(json), JSON.stringify(json, null, 2)),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    drop: fc.integer({ min: 0, max: 12 }),
    insert: fc.oneof(
      fc.constantFrom('', '"', '{', '[', ']', '}', '.', '=', ',', '\n', '__proto__', '\\u0000', '1e999', 'null', "'''"),
      fc.string({ maxLength: 4 }),
    ),
  });
  fc.assert(
    fc.property(damage, ({ text, at, drop, insert }) => {
      const offset = Math.floor(at * text.length);
      expect(refusal(text.slice(0, offset) + insert + text.slice(offset + drop))).toMatch(
        /^accepted$|^\d+:\d+: [^\n]+$/s,
      );
    }),
    { numRuns: 500 },
  );
});
