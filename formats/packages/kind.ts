import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';

/** A package that a file says is installed. */
export interface Package {
  /** The type, as package URLs have it (purl-spec, "types"). */
  readonly type: 'apk' | 'deb' | 'golang' | 'npm' | 'pypi';
  /** The full name, with the scope of npm or the path of Go. */
  readonly name: string;
  readonly version?: string;
  readonly architecture?: string;
  /** The source package that it was built from, if that has another name or version. */
  readonly source?: { readonly name: string; readonly version?: string };
  /** The license as the package states it: an SPDX expression if it keeps to the rules. */
  readonly license?: string;
  /** The maintainer. */
  readonly publisher?: string;
  /** The module's hash in Go's checksum database: `h1:` and a hash over its files. */
  readonly sum?: string;
}

/** What a file tells about packages. */
export interface FoundPackages {
  readonly packages: readonly Package[];
  /** What it should tell, but does not. */
  readonly missing?: string;
  /**
   * Whether it is a program or a library that says nothing about itself. A package of the system may still list it.
   */
  readonly silent?: boolean;
}

/** A file of an image that may tell about packages. */
export interface PackagesFile {
  /** Relative to the top, `/` between names. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Its first bytes: 4 of them, or fewer if the file is shorter. */
  readonly head: Uint8Array;
}

/** A way in which images say which packages are installed in them. */
export interface PackageKind {
  /** What SBOMs call it. */
  readonly name: string;
  /** Returns whether a file at this path belongs to it, whatever the content. */
  wants(path: string): boolean;
  /** Returns whether a file belongs to it by its content. */
  recognises?(file: PackagesFile): boolean;
  /** Reads the file, or as much of it as it needs. Throws `FormatError` `packages-invalid`. */
  read(body: Bytes, path: string): Promise<FoundPackages>;
}

/** How many packages one file may list. The largest distributions install a tenth of it. */
const PACKAGE_LIMIT = 50_000;
/** The longest field that is handed on, in characters. */
const FIELD_LIMIT = 1024;

/** Makes the error for a malformed file of packages. */
export function invalidPackages(message: string, cause?: unknown): FormatError {
  return new FormatError('packages-invalid', message, cause === undefined ? {} : { cause });
}

/** Decodes a file as UTF-8. Throws `FormatError` `packages-invalid`. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalidPackages('not UTF-8', cause);
  }
}

/**
 * Returns `value` after checking that it is short and printable, because it names something. Throws `FormatError`
 * `packages-invalid`.
 */
export function requireField(value: string, what: string): string {
  if (value === '' || value.length > FIELD_LIMIT || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) {
    throw invalidPackages(`${what} ${JSON.stringify(value.slice(0, 60))} is empty, too long, or not printable`);
  }
  return value;
}

/** Throws `FormatError` `packages-invalid` if there are more packages than one file may list. */
export function requireCount(count: number): void {
  if (count > PACKAGE_LIMIT) throw invalidPackages(`more than ${PACKAGE_LIMIT} packages`);
}
