import { gzipSync } from 'node:zlib';
import { Header } from 'tar/header';
import { type Bytes, collect, once, utf8 } from '../../../formats/bytes.ts';
import type { ChartFile } from '../../../formats/chart/write.ts';

/** One entry of a tar archive made by hand, to be as wrong as a test wants it. */
export interface Entry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'ExtendedHeader' | 'NextFileHasLongPath' | 'FIFO';
  readonly linkpath?: string;
  /** The size that the header states, where it lies. */
  readonly size?: number;
  /** Damages the header; before that its checksum is made anew where \`content\` says otherwise. */
  readonly edit?: (block: Buffer) => void;
}

/** A tar archive of exactly these entries. */
export function tarOf(entries: readonly Entry[]): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const { path, content = '', type = 'File', linkpath, size, edit } of entries) {
    const bytes = typeof content === 'string' ? utf8(content) : content;
    const block = Buffer.alloc(512);
    const link = linkpath === undefined ? {} : { linkpath };
    new Header({ path, type, size: size ?? bytes.length, mode: 0o644, mtime: new Date(0), ...link }).encode(block);
    edit?.(block);
    blocks.push(block, bytes, new Uint8Array(-bytes.length & 511));
  }
  return Buffer.concat([...blocks, new Uint8Array(1024)]);
}

/** A packed chart of exactly these entries, as a stream of small chunks. */
export function packed(entries: readonly Entry[]): Bytes {
  return chunked(gzipSync(tarOf(entries)), 100);
}

/** A stream whose chunks end where it hurts. */
export async function* chunked(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A file on its way into a chart. */
export function fileOf(path: string, content: string | Uint8Array): ChartFile {
  const bytes = typeof content === 'string' ? utf8(content) : content;
  return { path, mode: 0o644, size: bytes.length, open: () => once(bytes) };
}

/** All bytes of a stream. */
export function all(bytes: Bytes): Promise<Uint8Array> {
  return collect(bytes, 256 * 1024 * 1024);
}

export const chartYaml = 'apiVersion: v2\nname: web\nversion: 1.2.3\n';
