import type { Bytes } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { NamedSource, NamedTarget } from '../../kernel/content/index.ts';
import type { RepositoryTarget } from './repository-target.ts';

/** A repository of a registry, to read from and to write to. */
export interface Repository extends NamedSource, NamedTarget {
  /** Where it is. */
  readonly target: RepositoryTarget;
  /**
   * Returns the manifests whose subject is `subject`, of all artifact types or of one. What is pushed with a subject
   * is listed from then on, on any registry.
   */
  referrers(subject: Descriptor, artifactType?: string, signal?: AbortSignal): Promise<readonly Descriptor[]>;
  /**
   * Returns the digest that a tag stands for, asked with the rights of a push; undefined where there is no such tag.
   */
  tagged(tag: string, signal?: AbortSignal): Promise<Digest | undefined>;
  /** Makes sure that it can be pushed to, and leaves nothing behind that a client can see. */
  requireWritable(signal?: AbortSignal): Promise<void>;
  /** Makes sure that its registry answers. */
  requireAnswering(signal?: AbortSignal): Promise<void>;
  /** Returns the free bytes of its registry; undefined where that does not tell. */
  freeBytes(signal?: AbortSignal): Promise<number | undefined>;
  /** The names of all repositories of its registry, sorted; none where that does not tell. */
  catalog(signal?: AbortSignal): Promise<readonly string[]>;
  /** Its tags, sorted. */
  tags(signal?: AbortSignal): Promise<readonly string[]>;
}

/** Repositories that share connections, tokens, and knowledge about each other. */
export interface Registries extends AsyncDisposable {
  /** Opens a repository, which is good for as long as these are. Throws `usage-invalid`. */
  open(target: RepositoryTarget): Repository;
  /**
   * Reports whether a registry that needs no trusted certificate speaks TLS; asked once. `sentBy` is who has named it,
   * if somebody has.
   */
  schemeOf(registry: string, sentBy?: URL): Promise<'http' | 'https'>;
  /**
   * Streams a file at an address, with the login for its host; `sentBy` is the server that has named it, if one has.
   * Throws as `downloadFile`, and `remote-error`.
   */
  download(url: URL, sentBy?: URL): Bytes;
  /** Ends every connection. */
  close(): void;
}
