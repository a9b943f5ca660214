import type { Bytes } from '../../../formats/bytes.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Flow } from '../events/index.ts';
import type { FileRange } from '../files/index.ts';

/** How content is opened. */
export interface OpenOptions {
  /** The first byte that is wanted, counted from 0, which is the default. */
  readonly offset?: number | undefined;
  /**
   * Gives memory for the next chunk. That of a chunk is given again after a few more, so the reader must not hold on to
   * chunks. A source whose chunks are in new memory anyway does not call it.
   */
  readonly into?: (() => Uint8Array) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A place from which content can be read by descriptor: a layout, an archive, a repository of a registry. */
export interface ContentSource {
  /** How errors name it: a path, or registry and repository. */
  readonly name: string;
  /** How errors name the place that content is read from; absent where that is `name` for all. */
  nameOf?(descriptor: Descriptor): string;
  /** Opens the bytes of `descriptor`. They are not checked yet; `copy` and `fetchManifest` do that. */
  open(descriptor: Descriptor, options?: OpenOptions): Bytes;
  /**
   * Returns where the bytes lie in a file as they are, for others to read; undefined where they do not. Checks nothing.
   * Absent where nothing lies in files of this machine.
   */
  locate?(descriptor: Descriptor): Promise<FileRange | undefined>;
  /** Fetches what will be opened next, in as few requests as it takes. Absent where opening is cheap. */
  prefetch?(descriptors: readonly Descriptor[]): Promise<void>;
}

/** How a target reads the content that it stores. */
export interface ReadOptions {
  /** The first byte that is wanted, counted from 0, which is the default. */
  readonly offset?: number | undefined;
  /**
   * The bytes before `offset`, where the target has them already: they are checked with the rest, and nobody else reads
   * them.
   */
  readonly head?: Bytes | undefined;
  /** Whether the target is done with each chunk when it asks for the next one, so that its memory can be used again. */
  readonly reuse?: boolean | undefined;
}

/**
 * Reads the content that a target stores, checked: a stream that ends without an error had the right bytes. It may be
 * called again if what was read got lost; only the stream that it returned last may be read. Throws `FormatError`
 * `size-mismatch` or `digest-mismatch` for other content, and what the source throws.
 */
export type ReadContent = (options?: ReadOptions) => Bytes;

/** Content, and the file that has it. */
export interface LocatedContent {
  readonly descriptor: Descriptor;
  readonly from: FileRange;
}

/** How to take content from files. */
export interface TakeOptions {
  readonly signal: AbortSignal;
  /** Gets bytes that were taken; of a negative count where they will have to be taken once more. */
  readonly onBytes: (count: number) => void;
}

/** A place to which content can be written by descriptor. */
export interface ContentTarget {
  readonly name: string;
  /** Returns whether the content is there already, so that it need not be moved. */
  has(descriptor: Descriptor, signal?: AbortSignal): Promise<boolean>;
  /** Stores what `read` gives under `descriptor`, whole or not at all. Throws what `read` throws. */
  push(descriptor: Descriptor, read: ReadContent, signal?: AbortSignal): Promise<void>;
  /** Gets content out of `source`, or of elsewhere, without anything being moved, and says whether it has it now. */
  adopt?(descriptor: Descriptor, source: ContentSource, signal?: AbortSignal): Promise<boolean>;
  /**
   * Takes content out of the files that it lies in, checked, all of it at once. Returns what could not be read there:
   * who opens that at its source learns why. Throws `MismatchError`.
   */
  take?(contents: readonly LocatedContent[], options: TakeOptions): Promise<readonly LocatedContent[]>;
}

/** A source that also has names: tags, or the entries of a layout's index. */
export interface NamedSource extends ContentSource {
  /**
   * Resolves `name` (a tag, a digest, or a full reference) to the descriptor that it stands for; undefined where there
   * is none.
   */
  resolve(name: string, signal?: AbortSignal): Promise<Descriptor | undefined>;
  /**
   * Lists the manifests whose subject is `subject`: signatures, SBOMs, attestations, of all artifact types or of one;
   * absent where a source of this kind holds no such thing.
   */
  referrers?(subject: Descriptor, artifactType?: string, signal?: AbortSignal): Promise<readonly Descriptor[]>;
  /** Releases what was opened for it. */
  close(): Promise<void>;
}

/** A target that can name a manifest it holds. */
export interface NamedTarget extends ContentTarget {
  /** Makes `name` stand for the manifest `descriptor`, whose exact bytes are `bytes`. */
  tag(descriptor: Descriptor, bytes: Uint8Array, name: string, signal?: AbortSignal): Promise<void>;
}

/** What is known of the cluster that objects are rendered for. */
export interface ClusterFacts {
  /** Version of its API server, such as `v1.35.4`; undefined where there is none, and Helm's own counts. */
  readonly version: string | undefined;
  /** Every `group/version` and `group/version/Kind` that it serves; the core group is `v1` and `v1/Kind`. */
  readonly apiVersions: readonly string[];
  /** Whether objects of a kind live in namespaces; undefined where the cluster does not know the kind. */
  readonly namespaced: (group: string, kind: string) => boolean | undefined;
}

/** A server of this process at which a program looks objects of a cluster up, and can do nothing else. */
export interface LookupServer extends AsyncDisposable {
  /** Where it is; whoever knows it is answered. */
  readonly url: string;
  /** What it could not look up first, and why; undefined where it has answered everything. */
  refusal(): { readonly subject: string; readonly error: unknown } | undefined;
}

/** An object that is looked up, or all objects of a kind. */
export interface LookedUp {
  /** `Kind.group`, or `Kind` for the core group. */
  readonly groupKind: string;
  /** Whether the kind lives in namespaces. */
  readonly namespaced: boolean;
  /** Undefined where the kind has none, and where the objects of all namespaces are asked for. */
  readonly namespace: string | undefined;
}

/** Returns why something may not be looked up; undefined where it may. */
export type LookupLimit = (asked: LookedUp) => string | undefined;

/**
 * Starts a server that looks objects of a cluster up, which is said to be as `facts` tells. What `limit` refuses is not
 * asked for, and ends with `not-trusted`; left out, nothing is refused.
 */
export type Lookups = (facts: ClusterFacts, flow: Flow, limit?: LookupLimit) => Promise<LookupServer>;

/** A problem that was found: data, not an exception, and all of them are reported. */
export interface Finding {
  readonly code: FindingCode;
  /** Path, digest or reference that it is about. */
  readonly subject: string;
  readonly message: string;
}

/** What `verify` can find; each has a title in `docs/errors.md`. */
export const findings = {
  'blob-mismatch': 'Content does not match its digest',
  'structure-mismatch': 'A structure of the archive file does not match its root',
  'unlisted-file': 'A file is in the archive that the root does not name',
  'missing-file': 'A file that the root names is not in the archive',
  'not-canonical': 'Another program rewrote the archive; its contents may still be right',
  'trailing-data': 'There are bytes after the end of the archive',
  truncated: 'The archive ends too early',
  'checksum-mismatch': 'A medium does not match the file of checksums beside it',
  'image-unusable': 'A folder of a medium for MetalK8s holds no usable image, or lacks an image that it lists',
  unproved: 'Nothing proves the bytes of a medium that solpack did not pack',
  'unreadable-tree': 'The directory of the archive file cannot be read',
  'root-invalid': 'The root does not refer to a Solution',
  'signature-invalid':
    'A signature slot, or a given bundle, does not hold a valid signature of this root, or a tar lists a signature other than that of the slot',
  'attestation-invalid': 'No statement can be made from an attestation, or its signature is not valid',
  'signature-untrusted': 'No signature in the archive is by a key that counts for it',
  'threshold-unmet': 'Fewer keys have signed than the policy requires',
  'signature-repeated': 'One key has signed several times; it counts once',
  'key-revoked': 'A key that has signed is revoked',
  'key-expired': 'A key that has signed is no longer valid',
  'key-not-yet-valid': 'A key that has signed is not valid yet',
  'solution-denied': 'The policy denies this very Solution',
  'solution-expired': 'The Solution has expired',
  'solution-from-the-future':
    'The Solution says that it was made well ahead of the time: one of the two clocks is wrong',
  'sequence-too-low': 'The Solution is older than the policy allows',
  downgrade: 'A newer release of the Solution was installed before',
  'policy-unmatched': 'No rule of the policy applies to a Solution of this name',
  'predicate-missing': 'An attestation that the policy requires is missing',
  'policy-bounds': 'The Solution exceeds what the policy allows to its signers',
} as const;

/** A code of a finding. */
export type FindingCode = keyof typeof findings;
