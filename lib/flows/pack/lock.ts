import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Digest } from '../../../formats/digest.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { type ComponentProof, encodeProof } from '../../../formats/solution/component-proof.ts';
import { encodeLock, type Lock, type LockedImage, parseLock } from '../../../formats/solution/lock.ts';
import { reasonOf, refused, SolpackError } from '../../kernel/events/index.ts';
import { readFile, readIfThere, writeFile } from '../../kernel/files/index.ts';
import type { ResolvedReferrer } from './referrers.ts';
import type { Inputs } from './root.ts';

/** Returns the path of a definition's lock: `solution.lock` beside it. */
export function lockPath(definition: string): string {
  return join(dirname(definition), 'solution.lock');
}

/** Reads a lock; undefined where there is none. Throws `lock-mismatch` where it cannot be understood. */
export async function readLock(path: string): Promise<Lock | undefined> {
  const bytes = await readIfThere(path);
  if (bytes === undefined) return undefined;
  return refused('lock-mismatch', path, () => parseLock(bytes), 'restore it from version control, or remove it');
}

/** Makes the lock of resolved inputs, except for the digest of the root, which is made later. */
export function lockInputs({ created, images, components, given, installer, metalk8s }: Inputs): Omit<Lock, 'root'> {
  return {
    lockVersion: 1,
    created,
    images: images.map(({ definition, published, referrers }) => ({
      reference: definition.reference,
      source: definition.source,
      mediaType: published.mediaType,
      digest: published.digest,
      platforms: [...(definition.platforms ?? [])],
      ...(definition.platforms && definition.select === 'index' ? { select: 'index' } : {}),
      ...(referrers.length === 0 ? {} : { referrers: referrers.map(lockedReferrer) }),
    })),
    components: components.map(({ metadata: { name, kind }, digest, listed }) => ({
      name,
      kind,
      digest,
      ...(listed ? { files: [...listed] } : {}),
    })),
    ...sourcesOf(components),
    ...(given.length === 0 ? {} : { sboms: given.map(({ path, digest }) => ({ path, digest })) }),
    ...(installer ? { installer: installer.layers.map(lockedFile) } : {}),
    ...(metalk8s ? { metalk8s: true } : {}),
  };
}

/** Lists what was fetched for components, each once, in the order of the components. */
function sourcesOf(components: Inputs['components']): Pick<Lock, 'sources'> {
  const all = new Map(
    components
      .flatMap(({ sources }) => sources)
      .map((source) => [`${source.address} ${source.range} ${source.channel}`, source]),
  );
  return all.size === 0 ? {} : { sources: [...all.values()] };
}

/** Adds the digest of the root to a lock. */
export function withRoot({ lockVersion, created, ...rest }: Omit<Lock, 'root'>, root: Digest): Lock {
  return { lockVersion, created, root, ...rest };
}

/** Adds what was proved of components to a lock. */
export function withProofs({ components, sboms, ...rest }: Lock, proofs: ReadonlyMap<string, ComponentProof>): Lock {
  const proven = components.map((component) => {
    const proof = proofs.get(component.name);
    return proof === undefined ? component : { ...component, proof: encodeProof(proof) };
  });
  return { ...rest, components: proven, ...(sboms ? { sboms } : {}) };
}

function lockedFile({ digest, annotations: notes }: Descriptor): NonNullable<Lock['installer']>[number] {
  return { path: notes![annotations.title]!, digest };
}

function lockedReferrer({
  subject,
  tag,
  descriptor: { mediaType, digest },
}: ResolvedReferrer): NonNullable<LockedImage['referrers']>[number] {
  return { subject, ...(tag === undefined ? {} : { tag }), mediaType, digest };
}

/**
 * Requires that a lock can be written that does not exist yet, or that differs from `lock`: nobody should learn it when
 * all is packed. Throws `output-unwritable`.
 */
export async function requireWritableLock(path: string, lock: Lock | undefined): Promise<void> {
  const before = lock && (await readFile(path).catch(() => undefined));
  if (lock && before && Buffer.from(before).equals(encodeLock(lock))) return;
  await fs.access(dirname(path), fs.constants.W_OK).catch((error) => {
    throw new SolpackError('output-unwritable', path, `the lock cannot be written there: ${reasonOf(error)}`, {
      hint: 'name another place for it: --lock FILE',
      cause: error,
    });
  });
}

/** Writes the lock, unless the same is there already. */
export async function writeLock(path: string, lock: Lock): Promise<void> {
  const bytes = encodeLock(lock);
  const before = await readFile(path).catch(() => undefined);
  if (before && Buffer.from(before).equals(bytes)) return;
  await writeFile(path, bytes);
}
