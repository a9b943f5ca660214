import { describe, expect, test } from 'vitest';
import { type Digest, sha256 } from '../../../../../formats/digest.ts';
import { byTagPrecedence, sharedTags } from '../../../../../lib/shared/solutions/registries/tag-precedence.ts';

const release = (name: string, version: string) => ({
  path: `${name}-${version}.iso`,
  name,
  version,
  group: undefined,
});
const [first, last] = [sha256('first'), sha256('last')];

describe('who says what a tag stands for', () => {
  test.each([
    ['the higher version', ['shop 1.9.0', 'shop 1.10.0'], 'shop 1.10.0'],
    ['a release, and not its pre-release', ['shop 1.0.0', 'shop 1.0.0-rc.1'], 'shop 1.0.0'],
    ['the higher build of one version', ['shop 1.0.0+1', 'shop 1.0.0+2'], 'shop 1.0.0+2'],
    ['the higher version of two Solutions', ['b 2.0.0', 'a 1.0.0'], 'b 2.0.0'],
    ['the first by name of two Solutions with one version', ['b 1.0.0', 'a 1.0.0'], 'a 1.0.0'],
  ])('%s', (_, names, expected) => {
    const releases = names.map((one) => release(...(one.split(' ') as [string, string])));
    for (const all of [releases, releases.toReversed()]) {
      const [{ name, version } = release('', '')] = byTagPrecedence(all, (one) => one);
      expect(`${name} ${version}`).toBe(expected);
    }
  });

  test('an active version before a higher one', () => {
    const releases = [release('shop', '1.0.0'), release('shop', '2.0.0')];
    const ordered = byTagPrecedence(
      releases,
      (one) => one,
      ({ version }) => version === '1.0.0',
    );
    expect(ordered.map(({ version }) => version)).toEqual(['1.0.0', '2.0.0']);
  });
});

describe('tags that versions share', () => {
  const tagged = (name: string, version: string, tags: [string, Digest][]) => ({ name, version, tags });

  test('are reported once for two versions', () => {
    const shared = sharedTags([
      tagged('shop', '1.1.0', [
        ['r.example.com/a:latest', last],
        ['r.example.com/b:9', last],
        ['r.example.com/c:1', first],
      ]),
      tagged('shop', '1.0.0', [
        ['r.example.com/a:latest', first],
        ['r.example.com/b:9', first],
        ['r.example.com/c:1', first],
      ]),
      tagged('db', '1.0.0', [['r.example.com/a:latest', last]]),
    ]);
    expect(shared).toEqual([
      {
        tag: 'r.example.com/a:latest',
        message:
          'is the image of shop 1.1.0; that of shop 1.0.0 has only its digest, which installs use; the same is true of 1 more of their tags',
      },
    ]);
  });
});
