import type { Descriptor } from '../../formats/oci/descriptor.ts';
import type { Reference } from '../../formats/oci/reference.ts';
import type { Host } from '../host.ts';
import type { ContentSource, NamedSource } from '../model.ts';
import type { NamedImage } from './names.ts';

/** What an image source is opened with. */
export interface ImageSourceContext {
  /** Absolute; relative paths in a source are taken from here. */
  readonly folder: string;
  /** Connects to the repository of a reference; given by the flow, since sources do not know registries. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
  /** Opens an archive of a Solution; given by the flow, since sources do not know archives. */
  readonly openArchive: (path: string, signal?: AbortSignal) => Promise<ArchiveImages>;
  /** For programs, and for what has to be written to be read. */
  readonly host: Host;
  readonly daemons: Daemons;
  readonly signal?: AbortSignal;
}

/** Where the daemons of this machine are reached, where it is not their usual place. */
export interface Daemons {
  readonly containerd?: {
    /** Path of its socket. */
    readonly address?: string | undefined;
    readonly namespace?: string | undefined;
  };
  /** Address of Docker's API, as `DOCKER_HOST` has it: `unix:///var/run/docker.sock`. */
  readonly docker?: string | undefined;
}

/** A manifest of an archive, with the names that it has there. */
export interface ArchiveImage extends NamedImage {
  readonly descriptor: Descriptor;
}

/** The images of an archive, and what refers to them. */
export interface ArchiveImages extends ContentSource {
  /** Images by their references. */
  readonly images: readonly ArchiveImage[];
  /** What refers to them; the name is a tag, where it needs one. */
  readonly attached: readonly ArchiveImage[];
  readonly referrers: NonNullable<NamedSource['referrers']>;
  close(): Promise<void>;
}

/** An opened source, and the name that the image has in it. */
export interface OpenedImage {
  readonly source: NamedSource;
  /** What `source.resolve` is to be asked for; '' for the only image there. */
  readonly name: string;
}

/** One transport of containers-transports(5). */
export interface ImageSourceKind {
  /** The text before the first colon, such as `oci-archive`. */
  readonly transport: string;
  /** Opens what stands behind the colon. Throws `file-missing`, `source-invalid`. */
  open(location: string, context: ImageSourceContext): Promise<OpenedImage>;
}
