/** Every way in which bytes can be wrong, by format. `docs/errors.md` prints the title of each. */
export const formatErrors = {
  truncated: 'The bytes end before the structure they promise',
  'digest-mismatch': 'The bytes do not match their digest',
  'size-mismatch': 'There are fewer or more bytes than declared',
  'reference-invalid': 'Not a well-formed image reference',
  'challenge-invalid': 'Not a well-formed WWW-Authenticate header',
  'json-invalid': 'Not JSON, or not of the expected shape',
  'json-limit': 'A limit that protects the reader of JSON is exceeded',
  'schema-invalid': 'Not a JSON Schema, or one with keywords that are not supported',
  'yaml-invalid': 'Not YAML, or not of the expected shape',
  'toml-invalid': 'Not TOML, or not of the expected shape',
  'schema1-manifest': 'A Docker schema 1 manifest, which has no content digests',
  'manifest-invalid': 'Not an OCI or Docker manifest or index',
  'manifest-too-large': 'A manifest of more than 4 MiB',
  'manifest-limit': 'A limit that protects the reader of manifests is exceeded',
  'iso9660-descriptor': 'A volume descriptor is damaged, missing or of an unsupported kind',
  'iso9660-record': 'A directory record is damaged',
  'iso9660-byte-order': 'The little-endian and the big-endian copy of a number differ',
  'iso9660-name': 'A name in an ISO 9660 image is ill-formed, unsafe, or duplicated',
  'iso9660-extent': 'An extent lies outside the volume',
  'iso9660-overlap': 'Two extents share bytes without being the same',
  'iso9660-directory-loop': 'A directory contains itself',
  'iso9660-limit': 'A limit that protects the reader is exceeded',
  'iso9660-continuation': 'A System Use continuation area loops, or lies outside the volume',
  'iso9660-rock-ridge': 'A Rock Ridge entry is damaged',
  'iso9660-unsupported': 'A feature of ISO 9660 that this reader refuses (zisofs, interleaving)',
  'iso9660-unrepresentable': 'The tree cannot be written as ISO 9660',
  'tar-header': 'A tar header is damaged',
  'tar-limit': 'A limit that protects the tar reader is exceeded',
  'tar-path': 'A name in a tar archive is unsafe, or names two things',
  'tar-unsupported': 'A feature of tar that this reader refuses (compression, sparse files, several volumes)',
  'tar-unrepresentable': 'The tree cannot be written as a tar archive',
  'docker-archive-invalid': 'Not an archive as `docker save` writes it',
  'oci-layout-invalid': 'Not an OCI image layout',
  'chart-invalid': 'Not a Helm chart',
  'chart-index-invalid': 'Not the index of a Helm repository',
  'address-invalid': 'Not an address from which a component can be fetched',
  'manifest-document-invalid': 'Not a Kubernetes manifest',
  'cel-invalid': 'Not a CEL expression, or none that decides whether an object is ready',
  'duration-invalid': 'Not a duration such as 90s, 5m or 1h30m',
  'key-invalid': 'Not a key that solpack can use',
  'htpasswd-invalid': 'Not an htpasswd file with SHA-crypt hashes',
  'operator-bundle-invalid': 'Not a bundle of the format registry+v1 or plain+v0, or one that cannot be installed',
  'catalog-invalid': 'Not a file-based catalog of operators, or one that exceeds the limits of its reader',
  'bundle-invalid': 'Not a Sigstore bundle that solpack can read',
  'attestation-invalid': 'Not an in-toto attestation, or one with invalid content',
  'policy-invalid': 'Not a trust policy, or one that contradicts itself',
  'mend-invalid': 'Not a correction of remembered installs',
  'layer-invalid': 'Not a layer of a container image, or one that exceeds the limits of its reader',
  'packages-invalid': 'Not a database of installed packages',
  'solution-invalid': 'The Solution metadata of an archive is damaged',
  'selection-invalid': 'The list of what a delta lacks is damaged or invalid',
  'patch-invalid': 'Not a patch of a layer, or one that exceeds its limits',
  'encoder-invalid': 'Not a WebAssembly module that compresses a layer',
} as const;

/** The code of an error: one of a closed set of reasons for which `formats/` refuses its input. */
export type FormatCode = keyof typeof formatErrors;

/**
 * Says where something is in a text, on one line. Lines end at LF, and both lines and columns count from 1. Columns and
 * lengths count UTF-16 code units, as the Language Server Protocol and most editors do; a tab is one of them. The
 * position at the end of a line, or of the text, is the column behind its last character.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** At least 1. It ends with the line, also where the thing continues on the next one. */
  readonly length: number;
}

/** Describes one thing that is wrong at a position in a text. */
export interface PositionedProblem {
  readonly position: Position;
  readonly message: string;
  /** The line that the position is on, without its end; undefined where the text may hold secrets. */
  readonly lineText: string | undefined;
}

/** Optional parts of a `FormatError`. */
interface FormatDetails {
  /** Where in the input, in bytes, if that is known. */
  readonly offset?: number;
  readonly cause?: unknown;
}

/** The error that every parser and writer of `formats/` throws. `lib` turns it into one line for the user. */
export class FormatError extends Error {
  readonly code: FormatCode;
  /** The byte of the input at which the problem lies, if that is known. */
  readonly offset: number | undefined;

  constructor(code: FormatCode, message: string, options: FormatDetails = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FormatError';
    this.code = code;
    this.offset = options.offset;
  }
}

/** The error about a text that says where something is wrong in it. Its message names every position. */
export class PositionedError extends FormatError {
  /** All that is wrong, in the order of the text; never empty. */
  readonly problems: readonly PositionedProblem[];
  /** The name of the text, if its reader was given one. */
  readonly textName: string | undefined;

  constructor(
    code: FormatCode,
    problems: readonly PositionedProblem[],
    options: { readonly textName?: string; readonly cause?: unknown } = {},
  ) {
    const lead = options.textName === undefined ? '' : `${options.textName}:`;
    const words = problems.map(({ position, message }) => `${lead}${position.line}:${position.column}: ${message}`);
    super(code, words.join('; '), options);
    this.problems = problems;
    this.textName = options.textName;
  }

  /** The position of the first problem. */
  get position(): Position {
    return this.problems[0]!.position;
  }
}
