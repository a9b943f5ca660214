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

test('a lock keeps referrers and the way platforms were selected', () => {
  const referrers = [
    { subject: digest, mediaType: mediaTypes.manifest, digest: sha256('sbom') },
    { subject: digest, tag: 'sha256-0.sig', mediaType: mediaTypes.manifest, digest: sha256('signature') },
  ];
  const full: Lock = { ...lock, images: [{ ...lock.images[0]!, select: 'index', referrers }] };
  expect(parseLock(encodeLock(full))).toEqual(full);
  const text = Buffer.from(encodeLock(full)).toString();
  expect(() => parseLock(utf8(text.replace('"index"', '"sparse"')))).toThrow(FormatError);
  expect(() => parseLock(utf8(text.replace('tag = ', 'label = ')))).toThrow(FormatError);
});

test('a lock keeps the files of components, whatever their names', () => {
  const files = ['0123456789abcdef a b', '0123456789abcdef+x "quoted"/ü', '0123456789abcdef __proto__'];
  const full: Lock = { ...lock, components: [{ ...lock.components[0]!, files }] };
  expect(parseLock(encodeLock(full))).toEqual(full);
  expect(() => parseLock(utf8(Buffer.from(encodeLock(full)).toString().replaceAll('abcdef', 'ABCDEF')))).toThrow(
    FormatError,
  );
});

test.each([
  ['what is not TOML', 'lockVersion ='],
  ['another version', 'lockVersion = 2'],
  ['a digest that is none', Buffer.from(encodeLock(lock)).toString().replaceAll('sha256:', 'md5:')],
  ['an unknown field', `more = 1\n${Buffer.from(encodeLock(lock))}`],
])('refuses %s', (_, text) => {
  expect(() => parseLock(utf8(text))).toThrow(FormatError);
});
