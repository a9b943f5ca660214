import { stat } from 'node:fs/promises';
import type { Digest } from '../../../formats/digest.ts';
import { isInRegistry, type Place } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { shrinkHeap } from '../../kernel/machine/index.ts';
import { besides, hire, isWorthwhile } from '../../kernel/workers/index.ts';
import type { Archive, OpenedFiles } from '../../parts/archives/index.ts';
import type { Trust } from '../../parts/trust/index.ts';
import type { VerifyRequest } from './request.ts';
import type { Verification } from './verification.ts';

export {
  /** Verifies what is open, and was found at `path`. */
  verifyFiles,
} from './archive.ts';
export type {
  /** What a delta lacks, and what of that no archive has. */
  CheckedDelta,
} from './checked-delta.ts';
export {
  /** Checks a Solution in a registry. */
  verifyInRegistry,
} from './registry.ts';
export type { VerifyRequest } from './request.ts';
export type {
  /** The result of checking a medium that solpack did not pack. */
  CheckedMedium,
  Verification,
} from './verification.ts';

/** Bytes of an archive below which nothing is gained by a smaller heap: to collect it takes longer than the rest. */
const SMALL = 1024 * 1024;

/**
 * Checks an archive: hashes every blob in place, makes every other byte again from the root and compares, and decides
 * whether its signers are trusted. Reports all findings. Throws `archive-invalid` if the file is no archive, or its
 * root cannot be read.
 */
export async function verify({ archive, ...asked }: VerifyRequest, flow: Flow): Promise<Verification> {
  if (isInRegistry(archive)) {
    const { verifyInRegistry } = await import('./registry.ts');
    return verifyInRegistry({ archive, ...asked }, flow);
  }
  const size = await sizeOf(archive);
  // Threads come up while the modules load that know what there is for them to do.
  const crew = size !== undefined && isWorthwhile(size, undefined) ? hire(besides()) : undefined;
  try {
    const { verifyPlace } = await import('./archive.ts');
    if (size === undefined || size >= SMALL) shrinkHeap();
    return await verifyPlace({ archive, ...asked }, crew, flow);
  } finally {
    await crew?.[Symbol.asyncDispose]();
  }
}

/** The size of the file at a path; what is wrong with it is reported by whoever opens it. */
async function sizeOf(archive: Place): Promise<number | undefined> {
  if (typeof archive !== 'string') return undefined;
  const stats = await stat(archive).catch(() => undefined);
  return stats?.isFile() ? stats.size : undefined;
}

/**
 * Checks an archive that is open already, as `verify` does. The catalog that was read of it then is what is verified:
 * its owner continues to use that, and not what the file says by now. The blobs `later` are left out: its owner hashes
 * them as they are used.
 */
export async function verifyOpened(
  opened: OpenedFiles & Partial<Pick<Archive, 'catalog'>>,
  path: string,
  trust: Trust | undefined,
  flow: Flow,
  later?: ReadonlySet<Digest>,
): Promise<Verification> {
  const { verifyFiles } = await import('./archive.ts');
  return verifyFiles(opened, path, { trust, ...(later ? { later } : {}) }, flow);
}
