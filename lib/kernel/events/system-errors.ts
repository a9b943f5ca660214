import { SolpackError } from './errors.ts';

const reasons: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file would be larger than this system allows',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  EEXIST: 'it exists already',
  EIO: 'the disk reports an error',
  ENOMEDIUM: 'there is no medium in the drive',
  ENXIO: 'the device no longer exists',
  ERR_INVALID_ARG_VALUE: 'has a NUL character, which no path can have',
};

/** Describes why a system call failed. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** Returns the `errno` name of a failed system call, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Makes the error about a failure to read `path`. */
export function unreadable(path: string, error: unknown): SolpackError {
  if (error instanceof SolpackError) return error;
  const missing = codeOf(error) === 'ENOENT';
  return new SolpackError(missing ? 'file-missing' : 'file-unreadable', path, reasonOf(error), {
    cause: error,
    hint: missing ? 'check the path' : (hints[codeOf(error) ?? ''] ?? 'check its permissions'),
  });
}

/** What helps where it is no matter of permissions. */
const hints: Readonly<Record<string, string>> = {
  EIO: 'the medium may be damaged, or have been pulled: try it once more, then another copy of it',
  ENOMEDIUM: 'put the medium in',
  ENXIO: 'put the medium in again',
  ELOOP: 'a link leads back to itself: check the links on this path',
  ENAMETOOLONG: 'check the path',
  ERR_INVALID_ARG_VALUE: 'write the path without it',
};

/** Makes the error about a failure to write `path`. */
export function unwritable(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof SolpackError || code === undefined || !(code in reasons)) return error;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new SolpackError(full ? 'disk-full' : 'output-unwritable', path, reasonOf(error), {
    cause: error,
    hint: full ? 'free some space or write to another disk' : 'choose another place, or check the permissions there',
  });
}
