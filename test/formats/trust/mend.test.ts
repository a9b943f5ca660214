import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { isMend, parseMend } from '../../../formats/trust/mend.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';

const good = `type = "solpack-mend/v1"

[[solutions]]
name = "guestbook"
from = { sequence = 9, newest = 2155-12-31T00:00:00Z }
to = { sequence = 3, newest = 2026-11-01T00:00:00Z }

[[solutions]]
name = "platform"
from = { newest = 2155-12-31T00:00:00Z }
to = {}
`;

const json = {
  type: 'solpack-mend/v1',
  solutions: [
    {
      name: 'guestbook',
      from: { sequence: 9, newest: '2155-12-31T00:00:00Z' },
      to: { sequence: 3, newest: '2026-11-01T00:00:00Z' },
    },
    { name: 'platform', from: { newest: '2155-12-31T00:00:00Z' }, to: {} },
  ],
};

function refusal(text: string): string {
  try {
    parseMend(utf8(text));
  } catch (error) {
    if (error instanceof FormatError && error.code === 'mend-invalid') return error.message;
    throw error;
  }
  return 'accepted';
}

test('a mend says the same in TOML and in JSON', () => {
  const mend = parseMend(utf8(good));
  expect(parseMend(utf8(JSON.stringify(json)))).toEqual(mend);
  expect(mend.solutions[0]).toEqual({
    name: 'guestbook',
    from: { sequence: 9, newest: Date.UTC(2155, 11, 31) / 1000 },
    to: { sequence: 3, newest: Date.UTC(2026, 10, 1) / 1000 },
  });
});

test('the mend of docs/trust.md is one', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/trust.md'), 'utf8');
  const [, example = ''] = /```toml\n(type = [\s\S]*?)```/.exec(page) ?? [];
  expect(parseMend(utf8(example)).solutions).toMatchObject([{ name: 'guestbook', to: { sequence: 3 } }]);
});

test('a mend is no policy, and a policy is no mend', () => {
  const id = 'a'.repeat(64);
  const policy = utf8(JSON.stringify({ version: 1, keys: [{ id, file: 'k.pub' }] }));
  expect([isMend(policy), isMend(utf8(good))]).toEqual([false, true]);
  expect(() => parsePolicy(utf8(good))).toThrow('type: unknown field');
  expect(() => parseMend(policy)).toThrow('type: is missing: it has to be solpack-mend/v1');
});

describe('a mend is refused, with the place, where', () => {
  test.each([
    ['it is not TOML', good.replace('type =', 'type'), /^1:\d+: /],
    [
      'it says to be something else',
      good.replace('mend/v1', 'mend/v2'),
      /^1:1: type: has to be solpack-mend\/v1, but is "solpack-mend\/v2"/,
    ],
    [
      'a field is unknown',
      good.replace('to = {}', 'too = {}'),
      /^11:1: solutions\.1\.too: unknown field; did you mean "to"/,
    ],
    ['it names no Solution', 'type = "solpack-mend/v1"\nsolutions = []\n', /^2:1: solutions: has to name a Solution$/],
    ['it names one twice', good.replace('"platform"', '"guestbook"'), /^9:1: solutions\.1\.name: is there twice$/],
    ['a name is none', good.replace('"platform"', '"../x"'), /^9:1: solutions\.1\.name: /],
    ['it does not say what it replaces', good.replace(/from = \{ newest.*\n/, ''), /solutions\.1\.from: is missing$/],
    ['a sequence is 0', good.replace('sequence = 3', 'sequence = 0'), /solutions\.0\.to\.sequence: /],
    ['a date has no offset', good.replace('2026-11-01T00:00:00Z', '2026-11-01T00:00:00'), /has to be a date and time/],
    ['JSON has a field twice', '{"type":"solpack-mend/v1","type":"solpack-mend/v1"}', /^1:27: type: is there twice$/],
  ])('%s', (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });
});
