import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seal } from '../tar.ts';
import { memberAt } from './members.ts';
import { remade } from './remade.ts';
import type { Vector } from './vector.ts';

/** A vector that is a good one with a fault. */
interface Fault {
  readonly file: string;
  /** The good vector that it is made of. */
  readonly from: string;
  readonly refused: string;
  readonly keys?: readonly string[];
  readonly change?: (bytes: Buffer) => Buffer;
}

/** Turns the last bit of the byte `at` bytes behind the first place where `text` is. */
function flipped(text: string | Buffer, at = 0): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const found = bytes.indexOf(text);
    if (found < 0) throw new Error(`a vector lacks what it is to be changed in: ${text.toString('latin1')}`);
    bytes[found + at]! ^= 1;
    return bytes;
  };
}

/** Changes the header of a member of a tar, whose checksum is right again afterwards. */
function headed(path: string, edit: (header: Buffer) => void): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const header = bytes.subarray(memberAt(bytes, path).start);
    edit(header);
    seal(header);
    return bytes;
  };
}

function without(path: string): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const { start, end } = memberAt(bytes, path);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  };
}

/** Adds a copy of `manifest.yaml` under another name at the end of a tar. */
function withCopy(name: string): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const { start, end } = memberAt(bytes, 'manifest.yaml');
    const copy = Buffer.from(bytes.subarray(start, end));
    copy.fill(0, 0, 100).write(name);
    seal(copy);
    return Buffer.concat([bytes.subarray(0, -1024), copy, bytes.subarray(-1024)]);
  };
}

const LAYER = Buffer.from('1f8b08', 'hex');
const grown =
  (size: number) =>
  (bytes: Buffer): Buffer =>
    Buffer.concat([bytes, Buffer.alloc(size)]);
const cut =
  (part: number) =>
  (bytes: Buffer): Buffer =>
    bytes.subarray(0, Math.floor((bytes.length * part) / 2048) * 2048);

const faults: readonly Fault[] = [
  { file: 'blob-byte.iso', from: 'p256.iso', refused: 'a byte of a layer is another one', change: flipped(LAYER, 20) },
  { file: 'blob-byte.tar', from: 'p256.tar', refused: 'a byte of a layer is another one', change: flipped(LAYER, 20) },
  {
    file: 'manifest-byte.iso',
    from: 'p256.iso',
    refused: 'a byte of an image manifest is another one',
    change: flipped('"os":"linux"', 6),
  },
  {
    file: 'root-byte.tar',
    from: 'p256.tar',
    refused: 'a byte of the root is another one',
    change: flipped('io.solpack.sha256sums":"sha256:', 32),
  },
  {
    file: 'signature-byte.iso',
    from: 'ed25519.iso',
    keys: ['ed25519.pub'],
    refused: 'a byte of the signature is another one',
    change: flipped('"signature":"', 20),
  },
  {
    file: 'statement-byte.iso',
    from: 'p256.iso',
    refused: 'the signed statement is not that of the predicate',
    change: flipped('"payload":"', 40),
  },
  { file: 'others-signature.tar', from: 'ed25519.tar', keys: ['p256.pub'], refused: 'another key has signed' },
  { file: 'no-signature.iso', from: 'unsigned.iso', keys: ['p256.pub'], refused: 'nobody has signed' },
  {
    file: 'listing.tar',
    from: 'unsigned.tar',
    refused: 'index.json names another file',
    change: flipped('"manifests":[{"mediaType":"application/vnd.oci.image.index.v1+json","digest":"sha256:', 90),
  },
  {
    file: 'sums.iso',
    from: 'unsigned.iso',
    refused: 'SHA256SUMS names another digest',
    change: flipped('  blobs/sha256/', -1),
  },
  {
    file: 'missing-file.tar',
    from: 'unsigned.tar',
    refused: 'manifest.yaml is missing',
    change: without('manifest.yaml'),
  },
  {
    file: 'missing-blob.tar',
    from: 'unsigned.tar',
    refused: 'a layer of an image is missing',
    change: without('blobs/sha256/381980d57fff4d80160451241127f9d2007d19190098c86c4402b218cdc7320d'),
  },
  {
    file: 'surplus-file.tar',
    from: 'unsigned.tar',
    refused: 'there is a file that nobody names',
    change: withCopy('surplus.yaml'),
  },
  { file: 'twice.tar', from: 'unsigned.tar', refused: 'a file is there twice', change: withCopy('manifest.yaml') },
  {
    file: 'climbing-file.tar',
    from: 'unsigned.tar',
    refused: 'a path leads out of the archive',
    change: withCopy('../manifest.yaml'),
  },
  {
    file: 'size.tar',
    from: 'unsigned.tar',
    refused: 'a header tells another size',
    change: headed('manifest.yaml', (header) => header.write('0000000177', 124)),
  },
  {
    file: 'mode.tar',
    from: 'unsigned.tar',
    refused: 'a header tells another mode',
    change: headed('manifest.yaml', (header) => header.write('000755', 100)),
  },
  {
    file: 'date.tar',
    from: 'unsigned.tar',
    refused: 'a header tells another date',
    change: headed('manifest.yaml', (header) => header.write('2263523001', 136)),
  },
  { file: 'cut.iso', from: 'unsigned.iso', refused: 'the end is missing', change: cut(0.5) },
  { file: 'cut.tar', from: 'unsigned.tar', refused: 'the end is missing', change: cut(0.5) },
  { file: 'longer.iso', from: 'unsigned.iso', refused: 'more bytes follow', change: grown(2048) },
  { file: 'longer.tar', from: 'unsigned.tar', refused: 'more bytes follow', change: grown(512) },
  {
    file: 'system-area.iso',
    from: 'unsigned.iso',
    refused: 'the system area is not zero',
    change: (bytes) => bytes.fill(1, 100, 101),
  },
  {
    file: 'padding.iso',
    from: 'unsigned.iso',
    refused: 'what follows oci-layout in its sector is not zero',
    change: flipped('{"imageLayoutVersion":"1.0.0"}', 100),
  },
  {
    file: 'climbing-path.tar',
    from: 'unsigned.tar',
    refused: 'a path of the root leads out of the archive',
    change: remade('solution', (text) => text.replace('components/web/pod.yaml', 'components/../../x.yaml')),
  },
  {
    file: 'large-root.tar',
    from: 'unsigned.tar',
    refused: 'the root is larger than 4 MiB',
    change: remade('root', (text) => text.replace('"annotations":{', `"annotations":{"x":"${'x'.repeat(4 << 20)}",`)),
  },
  {
    file: 'key-twice.tar',
    from: 'unsigned.tar',
    refused: 'the root has a key twice',
    change: remade('root', (text) => text.replace('{', '{"schemaVersion":2,')),
  },
  {
    file: 'other-version.tar',
    from: 'unsigned.tar',
    refused: 'root and metadata tell other versions',
    change: remade('root', (text) =>
      text.replace('"io.solpack.solution.version":"1.0.0"', '"io.solpack.solution.version":"1.0.1"'),
    ),
  },
  {
    file: 'format-version.tar',
    from: 'unsigned.tar',
    refused: 'the format version is none that there is',
    change: remade('metadata', (text) => text.replace('"formatVersion":1', '"formatVersion":2')),
  },
];

/** Makes the bad vectors in `folder`, of the good ones that it has. */
export function makeBad(folder: string): Vector[] {
  return faults.map(({ file, from, refused, keys = [], change = (bytes) => bytes }) => {
    writeFileSync(join(folder, file), change(readFileSync(join(folder, from))));
    return { file, keys, refused };
  });
}
