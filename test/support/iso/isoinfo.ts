import { openFile } from '../../../lib/kernel/files/open-file.ts';
import { ok } from '../judges.ts';
import { lineOf, sha256Of } from './listing.ts';

/**
 * The head of a folder's listing, or one line of it; names may hold line ends, so that a line ends where another
 * begins.
 */
const piece =
  /\nDirectory listing of \/(?<folder>[\s\S]*?)\/?\n(?=[d-][rwx-]{9} )|(?<type>[d-])(?<mode>[rwx-]{9}) +\d+ +\d+ +\d+ +(?<size>\d+) .{11} \[ *(?<block>\d+) (?<flags>[0-9a-f]{2})\] {2}(?<name>[\s\S]*?) \n(?=[d-][rwx-]{9} |\nDirectory listing of |$)/y;

/**
 * What isoinfo lists, each path with its line, and with the content that lies where isoinfo says. Paths of the Joliet
 * tree are as `shownInLatin1` says, so that some may be there twice.
 */
export async function isoinfoListing(
  image: string,
  namespace: 'rock-ridge' | 'joliet',
): Promise<[path: string, line: string][]> {
  const text = await ok('isoinfo', [
    ...(namespace === 'joliet' ? ['-J', '-j', 'iso8859-1'] : ['-R']),
    '-l',
    '-i',
    image,
  ]);
  await using file = await openFile(image);
  const found: [string, string][] = [];
  let folder = '';
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const at = piece.lastIndex;
    const groups = piece.exec(text)?.groups;
    if (!groups) throw new Error(`isoinfo prints something else: ${JSON.stringify(text.slice(at, at + 300))}`);
    const { folder: next, type, mode = '', size, block, name = '' } = groups;
    if (next !== undefined) folder = next;
    else if (name !== '.' && name !== '..') {
      const path = folder === '' ? name : `${folder}/${name}`;
      const bits = namespace === 'joliet' ? undefined : bitsOf(mode);
      const bytes = type === 'd' ? new Uint8Array() : await file.read(Number(block) * 2048, Number(size));
      const item = { mode: bits, size: bytes.length, sha256: sha256Of(bytes) };
      found.push([path, lineOf({ ...item, type: type === 'd' ? 'dir' : 'file' })]);
    }
  }
  return found;
}

/** The permission bits that `rwxr-xr-x` stands for. */
function bitsOf(mode: string): number {
  return Number.parseInt([...mode].map((letter) => (letter === '-' ? '0' : '1')).join(''), 2);
}

/** A path as isoinfo prints it in Latin-1 and as it looks where that is taken for UTF-8: `_` stands for all else. */
export function shownInLatin1(path: string): string {
  return path.replace(/[^\0-\x7f\xa0-\xff]/g, '_').replace(/[\xa0-\xff]/g, '\ufffd');
}
