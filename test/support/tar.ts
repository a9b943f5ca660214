import { Header } from 'tar/header';
import type { EntryTypeCode } from 'tar/types';
import { sha256 } from '../../formats/digest.ts';
import type { Layout } from '../../formats/segments.ts';
import { layoutTar } from '../../formats/tar/layout.ts';
import type { Tree, TreeEntry } from '../../formats/tree.ts';

/** The bytes of a layout, with the content of each key from `content`. */
export function materialise(layout: Layout, content: ReadonlyMap<string, Uint8Array>): Buffer {
  const out = Buffer.alloc(layout.size);
  for (const segment of layout.segments) {
    out.set(segment.kind === 'meta' ? segment.bytes() : content.get(segment.key)!, segment.offset);
  }
  return out;
}

/** A tar archive of files by path, written by solpack's own writer. */
export function packTar(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const content = new Map<string, Uint8Array>();
  const entries = [...files].map(([path, bytes]) => {
    const key = sha256(bytes);
    content.set(key, bytes);
    return { path, size: bytes.length, mode: 0o644, key };
  });
  return materialise(layoutTar(entries, { modified: 0 }), content);
}

/** One entry as bytes: header, content, padding. `edit` may damage the header before its checksum is made. */
export function entry(
  path: string,
  options: {
    type?: EntryTypeCode;
    body?: Uint8Array | string;
    link?: string;
    size?: number;
    edit?: (block: Buffer) => void;
  } = {},
): Buffer {
  const body = Buffer.from(options.body ?? '');
  const header = new Header({
    path,
    mode: 0o644,
    uid: 0,
    gid: 0,
    size: options.size ?? body.length,
    linkpath: options.link ?? '',
  });
  header.type = options.type ?? '0';
  header.encode();
  const block = header.block!;
  options.edit?.(block);
  seal(block);
  return Buffer.concat([block, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

/** Writes the checksum of a header block. */
export function seal(block: Buffer): void {
  block.fill(0x20, 148, 156);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}

/** Entries and the end marker. */
export function archive(...entries: Uint8Array[]): Buffer {
  return Buffer.concat([...entries, Buffer.alloc(1024)]);
}

/** Everything a tree holds, in its order. */
export async function listTree(tree: Tree): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const found of tree.walk()) entries.push(found);
  return entries;
}
