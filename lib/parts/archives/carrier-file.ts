import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { FileEntry } from '../../../formats/segments.ts';
import type { CatalogAttestation } from './catalog.ts';

/** Where the bytes of a file in a carrier come from. */
export type FileContent =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      /** What each sector of it may be instead, where whoever signed was interrupted; of the same size. */
      readonly meanwhile?: Uint8Array | undefined;
    }
  | { readonly kind: 'blob'; readonly descriptor: Descriptor }
  | { readonly kind: 'slot'; readonly slot: number | CatalogAttestation };

/** Content whose bytes are known. */
export type KnownContent = Extract<FileContent, { kind: 'bytes' }>;

/** A file of a carrier, with its content. */
export interface CarrierFile extends FileEntry {
  readonly content: FileContent;
}

/** A file of a carrier whose bytes are known; `key` is its path unless it shares them with others. */
export function knownFile(path: string, bytes: Uint8Array, key = path, meanwhile?: Uint8Array): CarrierFile {
  return { path, size: bytes.length, mode: 0o644, key, content: { kind: 'bytes', bytes, meanwhile } };
}
