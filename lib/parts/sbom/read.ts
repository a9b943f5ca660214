import type { Bytes } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { bounded } from '../../../formats/packages/gather.ts';
import { packageKinds } from '../../../formats/packages/index.ts';
import type { PackageKind } from '../../../formats/packages/kind.ts';
import { OS_RELEASE_LIMIT, osReleasePaths, parseOsRelease } from '../../../formats/packages/os-release.ts';
import { unreadAt } from '../../../formats/packages/unread.ts';
import type { StreamMember } from '../../../formats/tar/stream.ts';
import type { FileFinding } from './finding.ts';

/** Why a file of an unsupported kind is not read. */
const NO_READER = 'of a kind that is not supported';

/** Decides whether a file at `path` counts by its path, so that a link there has to be followed. */
export function isTelling(path: string): boolean {
  return packageKinds.some((kind) => kind.wants(path)) || osReleasePaths.includes(path);
}

/** Decides whether a file at `path` counts by its path, and not by its content. */
export function isNamed(path: string): boolean {
  return isTelling(path) || unreadAt(path) !== undefined;
}

/**
 * Reads what the file at `path` says about packages; undefined for most files. Reads no more of the file than
 * necessary.
 */
export async function readFinding(path: string, { body, size, head }: StreamMember): Promise<FileFinding | undefined> {
  const unread = unreadAt(path);
  if (unread) return { unread: { what: unread, why: NO_READER } };
  if (osReleasePaths.includes(path)) return readDistribution(body);
  const byPath = packageKinds.find((kind) => kind.wants(path));
  if (byPath) return readPackages(byPath, body, path);
  const byContent = packageKinds.find((kind) => kind.recognises?.({ path, size, head }));
  return byContent && readPackages(byContent, body, path);
}

async function readDistribution(body: Bytes): Promise<FileFinding | undefined> {
  return unlessDamaged('os-release', async () => {
    const distribution = parseOsRelease(await bounded(body, OS_RELEASE_LIMIT));
    return distribution && { distribution };
  });
}

async function readPackages(kind: PackageKind, body: Bytes, path: string): Promise<FileFinding | undefined> {
  return unlessDamaged(`${kind.name} packages`, async () => {
    const { packages, missing, silent } = await kind.read(body, path);
    if (silent) return { silent };
    if (packages.length === 0 && missing === undefined) return undefined;
    return { packages, ...(missing !== undefined && { unread: { what: `${kind.name} packages`, why: missing } }) };
  });
}

/** Runs `work`, and reports damage as unread: a damaged file does not stop the reading of an image. */
async function unlessDamaged(
  what: string,
  work: () => Promise<FileFinding | undefined>,
): Promise<FileFinding | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FormatError) || error.code !== 'packages-invalid') throw error;
    return { unread: { what, why: error.message } };
  }
}
