import { hexOf } from '../../../formats/digest.ts';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import { openIsoImage, sniffImage } from '../../../formats/iso9660/read.ts';
import { volumeIdFrom } from '../../../formats/iso9660/volume-id.ts';
import type { Carrier, Shape } from './carrier.ts';

/** ISO 9660 with Rock Ridge and Joliet: mountable, views cost nothing. */
export const iso: Carrier = {
  kind: 'iso',
  extension: '.iso',
  title: 'ISO 9660 image',
  views: true,
  listsSignatures: false,
  tellsEnd: true,
  /** The application use field of the primary volume descriptor (ECMA-119 §8.4.32), where `implantisomd5` writes. */
  exempt: [{ offset: 16 * 2048 + 883, size: 512 }],
  sniff: sniffImage,
  open: async (source) => {
    const tree = await openIsoImage(source);
    return { tree, end: tree.volumeSize };
  },
  layout: (files, shape) =>
    layoutImage(files, {
      volumeId: volumeIdFrom(shape.name, shape.version),
      created: shape.created,
      modified: identityDate(shape),
    }),
};

/**
 * The modification date of the volume. blkid makes the volume's UUID from it, so it is drawn from the root's digest:
 * a moment between 2000 and 2099 that differs from Solution to Solution.
 */
function identityDate({ root }: Shape): { seconds: number; centiseconds: number } {
  const bytes = Buffer.from(hexOf(root), 'hex');
  const [from, to] = [Date.UTC(2000, 0, 1) / 1000, Date.UTC(2100, 0, 1) / 1000];
  return { seconds: from + (bytes.readUIntBE(0, 6) % (to - from)), centiseconds: bytes[6]! % 100 };
}
