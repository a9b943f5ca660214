import type { Reference } from '../../formats/oci/reference.ts';
import type { NamedSource } from '../model.ts';

/** What an image source is opened with. */
export interface ImageSourceContext {
  /** Absolute; relative paths in a source are taken from here. */
  readonly folder: string;
  /** Connects to the repository of a reference; given by the flow, since sources do not know registries. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
  readonly signal?: AbortSignal;
}

/** An opened source, and the name that the image has in it. */
export interface OpenedImage {
  readonly source: NamedSource;
  /** What `source.resolve` is to be asked for; '' for the only image there. */
  readonly name: string;
}

/** One transport of containers-transports(5). */
export interface ImageSourceKind {
  /** The text before the first colon: `oci`, `oci-archive`, `docker-archive`, `docker`. */
  readonly transport: string;
  /** Opens what stands behind the colon. Throws `file-missing`, `source-invalid`. */
  open(location: string, context: ImageSourceContext): Promise<OpenedImage>;
}
