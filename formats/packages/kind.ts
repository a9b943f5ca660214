import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';

/** A package that a file says is installed. */
export interface Package {
  /** As package URLs name the kind (purl-spec, "types"). */
  readonly type: 'apk' | 'deb' | 'golang' | 'npm' | 'pypi';
  /** Whole, with the scope of npm or the path of Go. */
  readonly name: string;
  readonly version?: string;
  readonly architecture?: string;
  /** The package of sources that it was built from, where that has another name or version. */
  readonly source?: { readonly name: string; readonly version?: string };
  /** As the package says it; an SPDX expression where it keeps to the rules. */
  readonly license?: string;
  /** Who maintains it. */
  readonly publisher?: string;
  /** What Go's checksum database says of the module: `h1:` and a hash over its files. */
  readonly sum?: string;
}

/** What a file tells. */
export interface Contents {
  readonly packages: readonly Package[];
  /** What it should tell, but does not. */
  readonly missing?: string;
  /** Whether it is a program or a library that tells nothing of itself: a package of a system may tell of it. */
  readonly silent?: boolean;
}

/** A file of an image. */
export interface PackagesFile {
  /** Relative to the top, `/` between names. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The first bytes, 4 of them or all of the file. */
  readonly head: Uint8Array;
}

/** A way in which images tell what is installed in them. */
export interface PackageKind {
  /** How documents name it. */
  readonly name: string;
  /** Whether a file with this path is one of its own, whatever the content. */
  wants(path: string): boolean;
  /** Whether the content makes a file one of its own. */
  recognises?(file: PackagesFile): boolean;
  /** Reads the whole file or less of it. Throws `FormatError` `packages-invalid`. */
  read(body: Bytes, path: string): Promise<Contents>;
}

/** How many packages one file may tell; the largest distributions install a tenth of it. */
const PACKAGE_LIMIT = 50_000;
/** How long a field may be that is handed on, in characters. */
const FIELD_LIMIT = 1024;

/** A file of packages that is not well-formed. */
export function invalid(message: string, cause?: unknown): FormatError {
  return new FormatError('packages-invalid', message, cause === undefined ? {} : { cause });
}

/** The UTF-8 text of a file; throws `packages-invalid`. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid('not UTF-8', cause);
  }
}

/** Returns `value`, which names something and so has to be printable and short; throws `packages-invalid`. */
export function requireField(value: string, what: string): string {
  if (value === '' || value.length > FIELD_LIMIT || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) {
    throw invalid(`${what} ${JSON.stringify(value.slice(0, 60))} is empty, too long, or not printable`);
  }
  return value;
}

/** Throws `packages-invalid` where there are more packages than one file may tell. */
export function requireCount(count: number): void {
  if (count > PACKAGE_LIMIT) throw invalid(`more than ${PACKAGE_LIMIT} packages`);
}
