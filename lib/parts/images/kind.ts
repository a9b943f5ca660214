import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Reference } from '../../../formats/oci/reference.ts';
import type { ContentSource, NamedSource } from '../../kernel/content/index.ts';
import type { Host } from '../../kernel/events/index.ts';
import type { NamedImage } from './names.ts';

/** What opening an image source needs. */
export interface ImageSourceContext {
  /** An absolute path, to which relative paths in a source are relative. */
  readonly folder: string;
  /**
   * Connects to the repository of a reference. The flow provides this, because image sources do not know registries.
   */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
  /** Opens an archive of a Solution. The flow provides this, because image sources do not know archives. */
  readonly openArchive: (path: string, signal?: AbortSignal) => Promise<ArchiveImages>;
  /** For running programs, and for temporary files. */
  readonly host: Host;
  readonly daemons: Daemons;
  readonly signal?: AbortSignal;
}

/** Where the daemons of this machine listen, if not at their default addresses. */
export interface Daemons {
  readonly containerd?: {
    /** Path of its socket. */
    readonly address?: string | undefined;
    readonly namespace?: string | undefined;
  };
  /** Address of Docker's API, as in `DOCKER_HOST`: `unix:///var/run/docker.sock`. */
  readonly docker?: string | undefined;
}

/** A manifest of an archive, with its names there. */
export interface ArchiveImage extends NamedImage {
  readonly descriptor: Descriptor;
}

/** The images of an archive, and their referrers. */
export interface ArchiveImages extends ContentSource {
  /** Images by their references. */
  readonly images: readonly ArchiveImage[];
  /** Their referrers. A name is a tag, where the referrer needs one. */
  readonly attached: readonly ArchiveImage[];
  readonly referrers: NonNullable<NamedSource['referrers']>;
  close(): Promise<void>;
}

/** An open source, and the name of the image in it. */
export interface OpenedImage {
  readonly source: NamedSource;
  /** The argument for `source.resolve`; '' for the only image there. */
  readonly name: string;
}

/** One transport of containers-transports(5). */
export interface ImageSourceKind {
  /** The text before the first colon, such as `oci-archive`. */
  readonly transport: string;
  /** Opens the source at `location`, the text after the colon. Throws `file-missing`, `source-invalid`. */
  open(location: string, context: ImageSourceContext): Promise<OpenedImage>;
}
