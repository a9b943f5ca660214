import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import type { LockedImage } from '../../../formats/solution/lock.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { OpenedImage } from '../../parts/images/index.ts';

/** What decides whether the locked manifest is taken or the one that the source has now. */
export interface ManifestChoice {
  /** The image in the lock; undefined where the lock does not have it, or where it is to be renewed. */
  readonly locked: LockedImage | undefined;
  /** Whether the source may also be asked by name, besides by the digest in the lock. */
  readonly namesToo: boolean;
}

/**
 * Chooses the manifest of an image: the locked one, otherwise the one that its source has now. Throws `lock-mismatch`
 * where the source no longer has the locked one, `image-absent` where there is none.
 */
export async function chooseManifest(
  definition: ImageDefinition,
  { locked, namesToo }: ManifestChoice,
  image: OpenedImage,
  flow: Flow,
): Promise<Descriptor> {
  const { reference, source } = definition;
  const wanted = locked?.digest;
  const found = wanted && !namesToo ? undefined : await image.source.resolve(image.name, flow.signal);
  const settled = wanted && found?.digest !== wanted ? await image.source.resolve(wanted, flow.signal) : found;
  if (!settled && wanted) {
    const now = found ? `is now ${found.digest}` : namesToo ? undefined : 'does not hold the locked image';
    if (now === undefined) throw absent(definition, image);
    throw new SolpackError('lock-mismatch', reference, `${source} ${now}, but solution.lock says ${wanted}`, {
      hint: `run "solpack pack --update ${reference}" to accept what the source holds now`,
    });
  }
  if (!settled) throw absent(definition, image);
  const pinned = parseReference(reference).digest;
  if (pinned && pinned !== settled.digest) {
    throw new SolpackError('image-absent', reference, `${source} holds ${settled.digest}`, {
      hint: 'correct the digest in the reference, or the source',
    });
  }
  if (found && settled.digest !== found.digest) {
    const message = `${source} is now ${found.digest}; packing ${settled.digest}, as solution.lock says`;
    flow.onEvent({ type: 'notice', subject: reference, message });
  }
  return settled;
}

function absent({ reference, source }: ImageDefinition, image: OpenedImage): SolpackError {
  return new SolpackError('image-absent', reference, `there is no such image in ${image.source.name}`, {
    hint: `check the source "${source}" in the definition`,
  });
}
