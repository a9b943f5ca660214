import { dirname } from 'node:path';
import { type Descriptor, platformName } from '../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../formats/oci/reference.ts';
import type { ImageDefinition } from '../../formats/solution/definition.ts';
import type { Lock } from '../../formats/solution/lock.ts';
import { keepPlatforms } from '../archives/index.ts';
import { type Closure, closureOf } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { type OpenedImage, openImage } from '../images/index.ts';
import type { NamedSource } from '../model.ts';

/** An image of the definition, found in its source. */
export interface ResolvedImage {
  readonly definition: ImageDefinition;
  readonly descriptor: Descriptor;
  readonly closure: Closure;
  readonly source: NamedSource;
}

/** How a definition's images are resolved. */
export interface ResolveOptions {
  /** The definition's file. */
  readonly path: string;
  readonly lock: Lock | undefined;
  /** `update` takes what the sources hold now; `locked` allows nothing that the lock does not name. */
  readonly mode: 'use' | 'update' | 'locked';
  readonly connect: (reference: Reference) => Promise<NamedSource>;
}

/**
 * Finds an image in its source and reads its manifests. Throws `image-absent`, `image-unsupported`, `source-invalid`,
 * `lock-mismatch`. The source stays open; its owner is the caller, also when this throws.
 */
export async function resolveImage(
  definition: ImageDefinition,
  options: ResolveOptions,
  flow: Flow,
  opened: (source: NamedSource) => void,
): Promise<ResolvedImage> {
  const { signal } = flow;
  const image = await openImage(definition.source, {
    folder: dirname(options.path),
    connect: options.connect,
    signal,
  });
  opened(image.source);
  const found = await image.source.resolve(image.name, signal);
  const descriptor = await settle(definition, options, image, found, flow);
  const { platforms } = definition;
  const keep = platforms ? { keep: keepPlatforms(platforms) } : {};
  const closure = await closureOf(image.source, descriptor, { signal, ...keep });
  if (platforms) requirePlatforms(definition, closure, platforms);
  return { definition, descriptor, closure, source: image.source };
}

async function settle(
  definition: ImageDefinition,
  { lock, mode }: ResolveOptions,
  image: OpenedImage,
  found: Descriptor | undefined,
  flow: Flow,
): Promise<Descriptor> {
  const { reference, source } = definition;
  const locked = lock?.images.find((entry) => entry.reference === reference && entry.source === source);
  if (mode === 'locked' && !locked) {
    throw new SolpackError('lock-mismatch', reference, `solution.lock does not name it with source ${source}`, {
      hint: 'pack once without --locked, and commit solution.lock',
    });
  }
  const pinned = parseReference(reference).digest;
  const wanted = mode === 'update' ? undefined : locked?.digest;
  const settled = wanted && found?.digest !== wanted ? await image.source.resolve(wanted, flow.signal) : found;
  if (!settled && wanted && found) {
    throw new SolpackError(
      'lock-mismatch',
      reference,
      `${source} is now ${found.digest}, but solution.lock says ${wanted}`,
      {
        hint: 'run "solpack pack --update" to accept what the source holds now',
      },
    );
  }
  if (!settled) {
    throw new SolpackError('image-absent', reference, `there is no such image in ${image.source.name}`, {
      hint: `check the source "${source}" in the definition`,
    });
  }
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

function requirePlatforms({ reference, source }: ImageDefinition, closure: Closure, wanted: readonly string[]): void {
  const indexes = closure.manifests.flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []));
  if (indexes.length === 0) return;
  const there = indexes.flatMap(({ platform }) => (platform ? [platform] : []));
  for (const name of wanted) {
    if (there.some((platform) => keepPlatforms([name])({ platform } as Descriptor))) continue;
    throw new SolpackError(
      'image-absent',
      reference,
      `${source} has no ${name}, only ${there.map(platformName).join(', ')}`,
      {
        hint: 'correct "platforms" in the definition',
      },
    );
  }
}
