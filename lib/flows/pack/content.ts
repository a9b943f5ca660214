import type { Bytes } from '../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import { type Descriptor, isForeignType } from '../../../formats/oci/descriptor.ts';
import {
  bytesSource,
  type Closure,
  type ContentSource,
  type OpenOptions,
  type Transfer,
} from '../../kernel/content/index.ts';

/** The content of one archive: each digest once, with the source that it is read from. */
export class Content implements ContentSource {
  readonly name = 'the inputs of the Solution';
  readonly #transfers = new Map<Digest, Transfer>();

  /** Adds `descriptor`, to be read from `source`. The first source of a digest stays. */
  add(descriptor: Descriptor, source: ContentSource): void {
    if (!this.#transfers.has(descriptor.digest)) this.#transfers.set(descriptor.digest, { descriptor, source });
  }

  /** Adds bytes that were made here, and returns their descriptor. */
  addBytes(bytes: Uint8Array, mediaType: string, name: string): Descriptor {
    const descriptor = { mediaType, digest: sha256(bytes), size: bytes.length };
    this.add(descriptor, bytesSource(name, bytes));
    return descriptor;
  }

  /** Adds everything that an image consists of. Its foreign layers are read from `foreign`. */
  addClosure(closure: Closure, source: ContentSource, foreign: ContentSource = source): void {
    for (const { descriptor, bytes } of closure.manifests) {
      this.add(descriptor, bytesSource(source.name, bytes));
    }
    for (const blob of closure.blobs) this.add(blob, isForeignType(blob.mediaType) ? foreign : source);
  }

  open(descriptor: Descriptor, options?: OpenOptions): Bytes {
    const transfer = this.#transfers.get(descriptor.digest);
    if (!transfer) throw new Error(`${descriptor.digest} was never added`);
    return transfer.source.open(transfer.descriptor, options);
  }

  /** Returns the bytes of all content whose sources can locate it in files. */
  locatable(): number {
    const sizes = [...this.#transfers.values()].map(({ descriptor, source }) => (source.locate ? descriptor.size : 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Returns the descriptor with its source, for `copy`. */
  transfer(descriptor: Descriptor): Transfer {
    const transfer = this.#transfers.get(descriptor.digest);
    if (!transfer) throw new Error(`${descriptor.digest} was never added`);
    return { descriptor, source: transfer.source };
  }
}
