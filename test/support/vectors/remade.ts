import { sha256 } from '../../../formats/digest.ts';
import { packTar } from '../tar.ts';
import { membersOf } from './members.ts';

/** What is changed: the root, the solution artifact that it names, or the metadata which that names. */
type Part = 'root' | 'solution' | 'metadata';

/**
 * Changes a part of a tar, and everything that names it: its digest and size are right in what is above it, and the
 * root has its new name. So only what is said there is wrong, as where somebody packed and signed it like that.
 */
export function remade(part: Part, edit: (text: string) => string): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const files = new Map(membersOf(bytes).map(({ path, data, size }) => [path, bytes.subarray(data, data + size)]));
    const text = (digest: string): string => files.get(blob(digest))!.toString();
    const root = files.get('.solpack/root.json')!.toString();
    const solution = JSON.parse(root).manifests[0].digest;
    const replace = (above: string, digest: string, below: string): string => {
      const old = files.get(blob(digest))!;
      files.set(blob(sha256(Buffer.from(below))), Buffer.from(below));
      files.delete(blob(digest));
      const size = `"size":${Buffer.byteLength(below)}`;
      return above.replace(`"${digest}","size":${old.length}`, `"${sha256(Buffer.from(below))}",${size}`);
    };
    let changed = root;
    if (part === 'root') changed = edit(root);
    if (part === 'solution') changed = replace(root, solution, edit(text(solution)));
    if (part === 'metadata') {
      const metadata = JSON.parse(text(solution)).config.digest;
      changed = replace(root, solution, replace(text(solution), metadata, edit(text(metadata))));
    }
    const index = files
      .get('index.json')!
      .toString()
      .replaceAll(sha256(Buffer.from(root)), sha256(Buffer.from(changed)));
    files.set('index.json', Buffer.from(index));
    files.delete(blob(sha256(Buffer.from(root))));
    files.set(blob(sha256(Buffer.from(changed))), Buffer.from(changed));
    files.set('.solpack/root.json', Buffer.from(changed));
    return packTar(files);
  };
}

function blob(digest: string): string {
  return digest.replace('sha256:', 'blobs/sha256/');
}
