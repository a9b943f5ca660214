import { both32, systemUse } from '../formats/iso9660/craft.ts';
import { entry } from '../support/tar.ts';
import { attack } from './attack.ts';
import { addRecord, dropRecord, recordOf, rockRidge, shareOf } from './forge-iso.ts';
import { editHeader, withEntry, withoutEntry } from './forge-tar.ts';
import { setStage } from './stage.ts';

// Files that the root does not name, or that are no files, in the tree that readers with Rock Ridge see, and in tar.

const stage = setStage('files');
const FILE = 0o100644;

/** Adds a file to the top of the tree, which has the bytes of one that is there. */
const added = (mode: number, name: Uint8Array | string, ...more: Uint8Array[]) => ({
  iso: (image: Buffer) => addRecord(image, { ...shareOf(image), systemUse: rockRidge(mode, name, ...more) }),
});

attack(stage, 'an extra file', {
  ...added(FILE, 'extra'),
  tar: (bytes) => withEntry(bytes, entry('extra', { body: 'extra' })),
});

attack(stage, 'an extra, empty folder', {
  tar: (bytes) => withEntry(bytes, entry('extra', { type: '5' })),
});

attack(stage, 'a missing file', {
  iso: (image) => dropRecord(image, recordOf(image, 'primary', 'OCI_LAYOUT.;1')),
  tar: (bytes) => withoutEntry(bytes, 'oci-layout'),
});

attack(stage, 'a name that is there twice', {
  ...added(FILE, 'oci-layout'),
  tar: (bytes) => withEntry(bytes, entry('oci-layout', { body: 'other' })),
});

attack(stage, 'a name that differs from another in case alone', {
  ...added(FILE, 'OCI-Layout'),
  tar: (bytes) => withEntry(bytes, entry('OCI-Layout', { body: 'other' })),
});

attack(stage, 'a path that leads out', {
  ...added(FILE, '..'),
  tar: (bytes) => withEntry(bytes, entry('../evil', { body: 'evil' })),
});

attack(stage, 'an absolute path', {
  ...added(FILE, '/evil'),
  tar: (bytes) => withEntry(bytes, entry('/evil', { body: 'evil' })),
});

attack(stage, 'a symbolic link that leads out', {
  ...added(0o120777, 'link', systemUse('SL', [0, 8, 0, 0, 3, ...Buffer.from('etc')])),
  tar: (bytes) => withEntry(bytes, entry('link', { type: '2', link: '/etc' })),
});

attack(stage, 'a hard link', {
  tar: (bytes) => withEntry(bytes, entry('link', { type: '1', link: 'oci-layout' })),
});

attack(stage, 'hard links that make far more of an archive than it is', {
  tar: (bytes) => {
    const links = Array.from({ length: 400 }, (_, at) => entry(`link-${at}`, { type: '1', link: 'large' }));
    return withEntry(bytes, Buffer.concat([entry('large', { body: Buffer.alloc(bytes.length) }), ...links]));
  },
});

attack(stage, 'a device', {
  ...added(0o020666, 'null'),
  tar: (bytes) => withEntry(bytes, entry('null', { type: '3' })),
});

attack(stage, 'a file that runs as its owner', {
  iso: (image) => both32(image, image.indexOf('PX', recordOf(image, 'primary', 'OCI_LAYOUT.;1')) + 4, 0o104755),
  tar: (bytes) => editHeader(bytes, 'oci-layout', (block) => block.write('0004755', 100)),
});

attack(stage, 'escape sequences in a name', {
  ...added(FILE, '\u001b]0;x\u0007\u009b2J\u202egnp'),
  tar: (bytes) => withEntry(bytes, entry('\u001b]0;x\u0007\u009b2J\u202egnp')),
});
