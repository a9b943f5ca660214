import { expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeLock, type Lock, parseLock } from '../../../formats/solution/lock.ts';

const digest = sha256('x');
const lock: Lock = {
  lockVersion: 1,
  created: 315532800,
  root: digest,
  images: [
    { reference: 'a.example/b:1', source: 'oci:c', mediaType: mediaTypes.index, digest, platforms: ['linux/amd64'] },
  ],
  components: [{ name: 'web', kind: 'helm', digest }],
};

test('a lock that was written is read back the same', () => {
  expect(parseLock(encodeLock(lock))).toEqual(lock);
  expect(parseLock(encodeLock({ ...lock, images: [], components: [] }))).toEqual({
    ...lock,
    images: [],
    components: [],
  });
});

test.each([
  ['what is not TOML', 'lockVersion ='],
  ['another version', 'lockVersion = 2'],
  ['a digest that is none', Buffer.from(encodeLock(lock)).toString().replaceAll('sha256:', 'md5:')],
  ['an unknown field', `more = 1\n${Buffer.from(encodeLock(lock))}`],
])('refuses %s', (_, text) => {
  expect(() => parseLock(utf8(text))).toThrow(FormatError);
});
