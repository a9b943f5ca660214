import type { Repository } from '../../../../parts/registries/index.ts';
import type { ImageToPush, TopManifest } from './images-to-push.ts';
import type { MovedTag } from './pushed.ts';

/** What a registry has of an image before anything is pushed. */
export interface Found {
  /** Whether it has all of the image, and of what refers to it. */
  readonly isWhole: boolean;
  /** What it does not have under its tag. */
  readonly untagged: readonly TopManifest[];
  /** Tags that stand for something else. */
  readonly moves: readonly MovedTag[];
}

/**
 * Asks a registry what it has of an image. It takes a manifest only where all that it names is there (distribution-spec
 * "Pushing Manifests"), so that nothing below has to be asked for.
 */
export async function lookUp(repository: Repository, one: ImageToPush, signal: AbortSignal): Promise<Found> {
  const untagged: TopManifest[] = [];
  const moves: MovedTag[] = [];
  let isWhole = true;
  for (const top of one.tops) {
    const { tag, descriptor } = top;
    const from = tag === undefined ? undefined : await repository.tagged(tag, signal);
    if (from === descriptor.digest) continue;
    if (from !== undefined) moves.push({ tag: `${repository.name}:${tag}`, from, to: descriptor.digest });
    isWhole &&= await repository.has(descriptor, signal);
    untagged.push(top);
  }
  return { isWhole, untagged, moves };
}
