import type { Bytes } from '../formats/bytes.ts';
import type { Descriptor } from '../formats/oci/descriptor.ts';

/** Bytes that lie in a file of this machine. */
export interface FileRange {
  readonly path: string;
  readonly offset: number;
  /** Undefined is all that follows `offset`. */
  readonly size: number | undefined;
}

/** Somewhere that content can be read from by descriptor: a layout, an archive, a repository of a registry. */
export interface ContentSource {
  /** How errors name it: a path, or registry and repository. */
  readonly name: string;
  /** Opens the bytes of `descriptor`. They are not checked yet; `copy` and `fetchManifest` do that. */
  open(descriptor: Descriptor, signal?: AbortSignal): Bytes;
  /** The same from byte `offset` on; left out where that is no faster than to start anew. */
  openFrom?(descriptor: Descriptor, offset: number, signal?: AbortSignal): Bytes;
  /**
   * The same in the memory that `next` gives for each chunk. Absent where memory is new anyway.
   */
  openFleeting?(descriptor: Descriptor, offset: number, next: () => Uint8Array): Bytes;
  /** Where the bytes lie in a file as they are, for others to read; undefined where they do not. Nothing is checked. */
  locate?(descriptor: Descriptor): Promise<FileRange | undefined>;
  /** Fetches what will be opened next, in as few requests as it takes; absent where opening is cheap. */
  prefetch?(descriptors: readonly Descriptor[]): Promise<void>;
}

/** Content, and the file that it lies in. */
export interface LocatedContent {
  readonly descriptor: Descriptor;
  readonly from: FileRange;
}

/** The first bytes of content that an earlier run began to push. They are not checked yet. */
export interface Begun {
  /** Bytes. */
  readonly size: number;
  readonly bytes: Bytes;
}

/** Reads content once more, from byte `offset` on. It is checked as a whole all the same. */
export type Reread = (offset: number) => Bytes;

/** How content is taken out of files. */
export interface TakeOptions {
  readonly signal: AbortSignal;
  /** Is told of bytes that were taken; of a negative count where they will have to be taken once more. */
  readonly onBytes: (count: number) => void;
}

/** Somewhere that content can be written to by descriptor. */
export interface ContentTarget {
  readonly name: string;
  /** Whether the content is there already, so that it need not be moved. */
  has(descriptor: Descriptor, signal?: AbortSignal): Promise<boolean>;
  /**
   * Stores `bytes` under `descriptor`, whole or not at all. The bytes are checked while they are read. Where the way to
   * the target breaks, `reread` gives them again; once it was called, what it gave last is the one stream to read.
   */
  push(descriptor: Descriptor, bytes: Bytes, signal?: AbortSignal, reread?: Reread): Promise<void>;
  /** Whether `push` of this content is done with each chunk when it asks for the next one; absent where it never is. */
  isPrompt?(descriptor: Descriptor): boolean;
  /** Gets content out of `source`, or of elsewhere, without anything being moved; whether it has it now. */
  adopt?(descriptor: Descriptor, source: ContentSource, signal?: AbortSignal): Promise<boolean>;
  /**
   * Takes content out of the files that it lies in, checked, all of it at once. Returns what could not be read there: who
   * opens that at its source is told why. Throws `MismatchError`.
   */
  take?(contents: readonly LocatedContent[], options: TakeOptions): Promise<readonly LocatedContent[]>;
  /** What is there already of content that is not whole yet; told once, for the push that follows. */
  begun?(descriptor: Descriptor): Begun | undefined;
}

/** A source that also knows names: tags, or the entries of a layout's index. */
export interface NamedSource extends ContentSource {
  /** The descriptor that `name` (a tag, a digest, or a full reference) stands for; undefined where there is none. */
  resolve(name: string, signal?: AbortSignal): Promise<Descriptor | undefined>;
  /**
   * The manifests whose subject is `subject`: signatures, SBOMs, attestations, of all artifact types or of one; absent
   * where a source of this kind holds no such thing.
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
  /** Version of its API server, such as `v1.35.4`. */
  readonly version: string;
  /** Every `group/version` and `group/version/Kind` that it serves; the core group is `v1` and `v1/Kind`. */
  readonly apiVersions: readonly string[];
  /** Whether objects of a kind live in namespaces; undefined where the cluster does not know the kind. */
  readonly namespaced: (group: string, kind: string) => boolean | undefined;
}

/** Something wrong that was looked for and found: data, not an exception, and all of them are reported. */
export interface Finding {
  readonly code: FindingCode;
  /** Path, digest or reference that it is about. */
  readonly subject: string;
  readonly message: string;
}

/** What `verify` can find; each has a title in `docs/errors.md`. */
export const findings = {
  'blob-mismatch': 'Content is not what its digest says',
  'structure-mismatch': 'A structure of the carrier is not what its root makes of it',
  'unlisted-file': 'A file is in the archive that the root does not name',
  'missing-file': 'A file that the root names is not in the archive',
  'not-canonical': 'The archive was written anew by another program; its contents may be right all the same',
  'trailing-data': 'There are bytes after the end of the archive',
  truncated: 'The archive ends too early',
  'unreadable-tree': "The carrier's own directory cannot be read",
  'root-invalid': 'What the root refers to is not a Solution',
  'signature-invalid':
    'A signature slot, or a bundle that was given, holds what is not a valid signature of this root, or a tar lists another signature than a slot has',
  'attestation-invalid': 'An attestation is not one that a statement can be made of, or its signature does not hold',
  'signature-untrusted': 'No signature in the archive is of a key that counts for it',
  'threshold-unmet': 'Fewer keys have signed than the policy demands',
  'signature-repeated': 'One key has signed several times; it counts once',
  'key-revoked': 'A key that has signed is revoked',
  'key-expired': 'A key that has signed counts no longer',
  'key-not-yet-valid': 'A key that has signed does not count yet',
  'solution-denied': 'The policy denies this very Solution',
  'solution-expired': 'The Solution is not to be installed any longer',
  'solution-from-the-future': 'The Solution says that it was made well ahead of the time: one of two clocks is wrong',
  'sequence-too-low': 'The Solution is older than the policy allows',
  downgrade: 'A newer release of the Solution was installed before',
  'policy-unmatched': 'No rule of the policy is about a Solution of this name',
  'predicate-missing': 'An attestation that the policy demands is missing',
  'policy-bounds': 'The Solution goes beyond what the policy allows to those who may sign it',
} as const;

/** A code of a finding. */
export type FindingCode = keyof typeof findings;
