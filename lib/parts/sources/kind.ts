import type { Bytes } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Reference } from '../../../formats/oci/reference.ts';
import type { UpgradeBound } from '../../../formats/solution/upgrade.ts';
import type { NamedSource } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { SourceStore } from './store.ts';

/** What is asked of an address: a packed chart, one file of any kind, a folder of files, or a bundle of an operator. */
export type SourceContent = 'chart' | 'file' | 'folder' | 'bundle';

/** Something that a component is made of, and that lies elsewhere. */
export interface SourceRequest {
  /** As it is written, such as `oci://registry.example.com/charts/web`. */
  readonly address: string;
  /** A version or a range of versions; undefined where none was named. */
  readonly version: string | undefined;
  readonly content: SourceContent;
  /** The channel of a catalog; left out: the default one of the package. */
  readonly channel?: string | undefined;
  /** The folder of a catalog on this machine, and the one that nothing of it may lead out of. */
  readonly place?: { readonly path: string; readonly root: string } | undefined;
  /** The server that has named the address, unless a user has. */
  readonly sentBy?: URL | undefined;
}

/** What a request stood for when it was resolved: what `solution.lock` keeps of it. */
export interface ResolvedSource {
  /** The version that was chosen, or the commit. */
  readonly version?: string | undefined;
  /** Where the file was, if that is not the address itself. */
  readonly url?: string | undefined;
  /** Of a bundle of a catalog: over which versions it may be installed; empty if the catalog does not say. */
  readonly upgrade?: UpgradeBound | undefined;
  /** Of a file, its bytes; of what a registry holds, the manifest; of a commit, its files as one tar archive. */
  readonly digest: Digest;
}

/** Where something was brought to. */
export interface BroughtSource {
  /** The file or folder. */
  readonly path: string;
  /** The folder that nothing of it may lead out of. */
  readonly root: string;
  /** What messages call that folder. */
  readonly name: string;
}

/** How to reach sources on a network. */
export interface SourceConnections {
  /** Opens a repository of a registry; `sentBy` is the server that has named it, if one has. */
  connect(reference: Reference, sentBy?: URL): Promise<NamedSource>;
  /** Lists the tags of a repository. */
  tags(reference: Reference, sentBy?: URL): Promise<readonly string[]>;
  /**
   * Streams the file at an address, with the login for its host; `sentBy` is the server that has named it, if one has.
   */
  download(url: URL, sentBy?: URL): Promise<Bytes>;
  /** The environment that git runs in: its configuration finds proxies, certificates and logins. */
  readonly gitEnvironment: Readonly<Record<string, string>>;
  /** Whether addresses without TLS are allowed on hosts that are not this machine. */
  readonly plainHttp: boolean;
}

/** Where what is brought is put. */
export interface StoreContext {
  readonly store: SourceStore;
  readonly flow: Flow;
}

/** What a kind of source is given. */
export interface SourceContext extends StoreContext {
  readonly connections: SourceConnections;
}

/** One kind of source of components. */
export interface SourceKind {
  /** Whether a request is for this kind. */
  takes(request: SourceRequest): boolean;
  /** Finds out what the request stands for now. It may keep content on the way. */
  resolve(request: SourceRequest, context: SourceContext): Promise<ResolvedSource>;
  /** Brings the very content that was resolved, from the store if that has it. Throws `lock-mismatch`. */
  bring(request: SourceRequest, resolved: ResolvedSource, context: SourceContext): Promise<BroughtSource>;
  /** Lists the versions that there are at the address, whatever was asked for; left out where nobody lists any. */
  versions?(request: SourceRequest, context: SourceContext): Promise<readonly string[]>;
}
