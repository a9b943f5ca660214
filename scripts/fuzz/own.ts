import { layoutImage } from '../../formats/iso9660/layout.ts';

/** Writes an image with this project's writer: names in continuation areas, shared and empty files, some depth. */
export function ownImage(): Buffer {
  const files: readonly (readonly [path: string, content: string])[] = [
    ['a', 'a'],
    ['b', 'b'.repeat(3000)],
    ['copy', 'a'],
    ['empty', ''],
    ['n'.repeat(253), 'n'],
    ['d/e/f', 'f'],
    [`d/${'0123456789abcdef'.repeat(4)}`, 'hex'],
    ['d/é🚀', 'u'],
    ['s1', 's'.repeat(2048)],
    ['s2', 't'],
  ];
  const entries = files.map(([path, content]) => ({
    path,
    size: Buffer.byteLength(content),
    mode: 0o644,
    key: content,
  }));
  const options = { volumeId: 'FUZZ', created: 0, modified: { seconds: 0, centiseconds: 0 } };
  const segments = [...layoutImage(entries, options).segments];
  const image = Buffer.concat([...segments].map((one) => (one.kind === 'meta' ? one.bytes() : Buffer.from(one.key))));
  joinSections(image);
  return image;
}

/** Joins `s1` and `s2` into one file of two sections, which the writer makes for more than 4 GiB only. */
function joinSections(image: Buffer): void {
  for (const [first, second] of ['S1.;1', 's1', '\0s\0' + '1'].map((name) => [name, name.replace('1', '2')] as const)) {
    const replaced = Buffer.from(second.replaceAll(/2/g, '1'), 'latin1');
    replaced.copy(image, image.indexOf(second, 'latin1'));
    const record = image.indexOf(first, 'latin1') - 33;
    if (first !== 's1') image.writeUInt8(0x80, record + 25);
  }
}
