import { both32, PRIMARY, SECTOR } from '../formats/iso9660/craft.ts';
import { entry } from '../support/tar.ts';
import { attack, both } from './attack.ts';
import { blockOf, recordOf, topOf, ucs2 } from './forge-iso.ts';
import { editHeader, entryOf } from './forge-tar.ts';
import { setStage } from './stage.ts';

// Bytes of a signed archive that are others, more or fewer than they were.

const stage = setStage('bytes');

/** Of the annotations of the root. */
const named = '"hello","io.solpack.solution.version"';

/** Changes a byte in the middle of what is found. */
function flip(bytes: Buffer, text: string): void {
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`there is no ${text}`);
  bytes[at + (text.length >> 1)]! ^= 1;
}

attack(
  stage,
  'bytes behind the end',
  both((bytes) => Buffer.concat([bytes, Buffer.from('more')])),
);

attack(
  stage,
  'a second archive behind the end',
  both((bytes) => Buffer.concat([bytes, bytes])),
);

attack(
  stage,
  'content that was changed',
  both((bytes) => flip(bytes, 'kind: Pod')),
);

attack(stage, 'a view that was changed, whose blob is intact', {
  iso: (image) => {
    const other = blockOf(image, recordOf(image, 'primary', 'B.YAM'));
    both32(image, recordOf(image, 'primary', 'A.YAM') + 2, other);
  },
});

attack(
  stage,
  'sums that were changed',
  both((bytes) => flip(bytes, `  oci-layout\n`)),
);

attack(
  stage,
  'an index.json that names another image',
  both((bytes) => bytes.write('evil', bytes.indexOf('registry.example.com/hello/job') + 5)),
);

attack(stage, 'a root that is another one in its second place', {
  tar: (bytes) => bytes.write('jello', bytes.indexOf(named, entryOf(bytes, '.solpack/root.json').body) + 1),
});

attack(
  stage,
  'a root that was changed',
  both((bytes) => {
    for (let at = bytes.indexOf(named); at >= 0; at = bytes.indexOf(named, at + 1)) bytes.write('jello', at + 1);
  }),
);

attack(stage, 'files that share bytes', {
  iso: (image) =>
    both32(image, recordOf(image, 'primary', 'A.YAM') + 2, blockOf(image, recordOf(image, 'primary', 'INDEX.JSO'))),
});

attack(stage, 'another file in the Joliet tree', {
  iso: (image) =>
    both32(image, recordOf(image, 'joliet', 'a.yaml') + 2, blockOf(image, recordOf(image, 'joliet', 'b.yaml'))),
});

attack(stage, 'another name in the Joliet tree', {
  iso: (image) => ucs2('z').copy(image, recordOf(image, 'joliet', 'a.yaml') + 33),
});

attack(stage, 'another name in the plain tree', {
  iso: (image) => image.write('Z', recordOf(image, 'primary', 'A.YAM') + 33),
});

attack(stage, 'a path table that leads elsewhere', {
  iso: (image) =>
    void image.writeUInt32LE(topOf(image, 'joliet') / SECTOR, image.readUInt32LE(PRIMARY + 140) * SECTOR + 2),
});

attack(stage, 'a boot record (El Torito)', {
  iso: (image) => {
    // In the place of the Joliet descriptor: readers that boot look there, others pass over it.
    image.fill(0, PRIMARY + SECTOR, PRIMARY + 2 * SECTOR);
    image.write('\0CD001\x01EL TORITO SPECIFICATION', PRIMARY + SECTOR, 'latin1');
  },
});

attack(stage, 'a tar archive in the system area of an ISO', {
  iso: (image) => entry('evil', { body: 'evil' }).copy(image),
});

attack(stage, 'bytes in what pads', {
  iso: (image) =>
    void image.write('hidden', blockOf(image, recordOf(image, 'primary', 'OCI_LAYOUT.;1')) * SECTOR + SECTOR - 10),
  tar: (bytes) => bytes.write('hidden', entryOf(bytes, 'oci-layout').end - 10),
});

attack(stage, 'a header that readers pass over', {
  tar: (bytes) => {
    const { header } = entryOf(bytes, 'oci-layout');
    const hidden = entry('x', { type: 'x', body: '30 SCHILY.xattr.user.evil=yes\n' });
    return Buffer.concat([bytes.subarray(0, header), hidden, bytes.subarray(header)]);
  },
});

attack(stage, 'a file that belongs to somebody', {
  tar: (bytes) => editHeader(bytes, 'oci-layout', (block) => block.write('0001750', 108)),
});
