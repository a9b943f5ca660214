import { sha256 } from '../../formats/digest.ts';
import { annotations, type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { blobPath, layoutMarker, layoutPaths } from '../../formats/oci/layout.ts';
import { encodeIndex, encodeManifest, MANIFEST_LIMIT } from '../../formats/oci/manifest.ts';
import { encodeMetadata, solutionTypes } from '../../formats/solution/metadata.ts';
import type { Relations } from '../../formats/solution/relations.ts';
import { archivePaths, carriers } from '../../lib/parts/archives/index.ts';
import { materialise } from '../support/tar.ts';
import type { Format } from './stage.ts';

/** A Solution in the making of which nothing is looked at: its root names whatever it is told to. */
export class Crowd {
  readonly #name: string;
  readonly #relations: Relations;

  /** `relations` is what it requires of other Solutions, and provides to them. */
  constructor(name = 'hello', relations: Relations = {}) {
    this.#name = name;
    this.#relations = relations;
  }

  /** All content, by digest. */
  readonly blobs = new Map<string, Uint8Array>();
  readonly #entries: Descriptor[] = [];
  readonly #layers: Descriptor[] = [];

  /** Adds content, and returns what names it. */
  blob(mediaType: string, content: Uint8Array | string): Descriptor {
    const bytes = Buffer.from(content);
    const digest = sha256(bytes);
    this.blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  }

  /** An image's config. */
  config(text = '{"os":"linux","architecture":"amd64"}'): Descriptor {
    return this.blob(mediaTypes.config, text);
  }

  /** A manifest whose fields behind config and layers are `more`. */
  manifest(more: string, config: Descriptor = this.config()): Descriptor {
    const head = `{"schemaVersion":2,"mediaType":"${mediaTypes.manifest}","config":${JSON.stringify(config)}`;
    return this.blob(mediaTypes.manifest, `${head},${more}}`);
  }

  /** Lists a manifest in the root, under one more name. */
  image(manifest: Descriptor): void {
    const reference = `registry.example.com/crowd/app-${this.#entries.length}:1.0.0`;
    this.entry({ ...manifest, annotations: { [annotations.refName]: reference } });
  }

  /** Adds an entry to the root. */
  entry(entry: Descriptor): void {
    this.#entries.push(entry);
  }

  /** Adds a layer to the solution artifact. */
  layer(layer: Descriptor): void {
    this.#layers.push(layer);
  }

  /** The root, after which nothing more may be added. */
  root(): Descriptor & { readonly bytes: Uint8Array } {
    const artifactType = solutionTypes.solution;
    const identity = { formatVersion: 1, name: this.#name, version: '1.0.0', created: 0, ...this.#relations } as const;
    const slots = { count: 8, size: 8192 };
    const metadata = encodeMetadata({ ...identity, signatureSlots: slots, components: [] });
    const yaml = this.blob(solutionTypes.file, 'kind: Solution\n');
    const title = { annotations: { [annotations.title]: 'manifest.yaml' } };
    const config = this.blob(solutionTypes.metadata, metadata);
    const artifact = encodeManifest({ artifactType, config, layers: [{ ...yaml, ...title }, ...this.#layers] });
    const entry = { ...this.blob(mediaTypes.manifest, artifact), artifactType };
    const bytes = encodeIndex({ artifactType, manifests: [entry, ...this.#entries] });
    return { ...this.blob(mediaTypes.index, bytes), bytes };
  }

  /** An archive with all of it, and empty slots. */
  archive(format: Format): Buffer {
    const { bytes, digest } = this.root();
    const slots = Array.from({ length: 8 }, (_, slot) => [archivePaths.slot(slot), Buffer.alloc(8192, '\n')] as const);
    const files = new Map<string, Uint8Array>([
      [layoutPaths.marker, layoutMarker],
      [layoutPaths.index, bytes],
      [archivePaths.root, bytes],
      ...slots,
      ...[...this.blobs].map(([name, content]) => [blobPath(name as Descriptor['digest']), content] as const),
    ]);
    const entries = [...files].map(([path, content]) => ({ path, size: content.length, mode: 0o644, key: path }));
    const shape = { name: this.#name, version: '1.0.0', created: 0, root: digest };
    return materialise(carriers[format].layout(entries, shape), files);
  }
}

/** As many of `unit` as fit between `head` and `tail`, with commas, in a manifest of the largest size. */
export function filled(
  head: string,
  unit: (number: number) => string,
  tail: string,
  room: number = MANIFEST_LIMIT - 1024,
): string {
  const units: string[] = [];
  for (let left = room - head.length - tail.length; ; ) {
    const next = unit(units.length);
    left -= next.length + 1;
    if (left < 0) return head + units.join(',') + tail;
    units.push(next);
  }
}
