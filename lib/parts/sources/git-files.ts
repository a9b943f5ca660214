import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../../../formats/bytes.ts';
import { BLOCK } from '../../../formats/tar/block.ts';
import { encodeHeader } from '../../../formats/tar/encode.ts';
import { streamTar } from '../../../formats/tar/stream.ts';

/** Keeps git from changing files on their way into an archive: lines ends, keywords, and what is to be left out. */
const attributes = '* -text -eol -ident -filter -working-tree-encoding -export-ignore -export-subst\n';

/** A date that is the same for every file. */
const TIME = 315_532_800;

/**
 * Streams what `archive` prints, which is `git archive` in the bare repository `folder`, as a tar archive whose bytes
 * depend on nothing but names, modes and contents.
 */
export async function* packFiles(folder: string, archive: () => Bytes): Bytes {
  await fs.mkdir(join(folder, 'info'), { recursive: true });
  await fs.writeFile(join(folder, 'info/attributes'), attributes);
  for await (const { name, type, size, mode, link, body } of streamTar(archive())) {
    if (type === 'symlink') {
      yield encodeHeader({ path: name, mode: 0o777, size: 0, modified: TIME, link }, 'PaxHeader');
    } else if (type === 'file') {
      yield encodeHeader({ path: name, mode: (mode & 0o100) === 0 ? 0o644 : 0o755, size, modified: TIME }, 'PaxHeader');
      for await (const chunk of body) yield Uint8Array.from(chunk);
      if (size % BLOCK !== 0) yield new Uint8Array(BLOCK - (size % BLOCK));
    }
  }
  yield new Uint8Array(2 * BLOCK);
}
