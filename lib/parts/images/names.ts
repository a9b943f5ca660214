import type { Digest } from '../../../formats/digest.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { formatReference, isTag, parseReference, type Reference } from '../../../formats/oci/reference.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import { SolpackError } from '../../kernel/events/index.ts';

/** How many names an error lists. */
const SHOWN = 10;

/** An image of a source, with all its names there. */
export interface NamedImage {
  readonly digest: Digest;
  readonly names: readonly string[];
}

/**
 * Returns the names of an entry of a layout's index (image-spec "Image Layout", containerd's full names, tags of
 * referrers).
 */
export function namesOf(entry: Descriptor): string[] {
  const {
    [annotations.containerdName]: full,
    [annotations.refName]: short,
    [solutionAnnotations.tag]: tag,
  } = entry.annotations ?? {};
  // A bare tag beside a full name is part of that name.
  if (full !== undefined && short !== undefined && isTag(short)) return [full];
  return [full, short, tag].filter((name) => name !== undefined);
}

/**
 * Finds the one of `images` that `name` means; undefined where there is none. '' means the only image; `@N` the one at
 * index N. Otherwise `name` is, in this order: a digest, a name as it is stored, the same reference in another spelling
 * (`nginx:1` is `docker.io/library/nginx:1`), the bare tag of a reference. Images with one digest are one image. Throws
 * `source-invalid` where a name means several images, listing their digests, or '' more than one, listing the names.
 * Follows containers-transports(5) for `@N`.
 */
export function findImage<T extends NamedImage>(images: readonly T[], name: string, subject: string): T | undefined {
  if (name === '') return single(images, images, name, subject);
  const at = /^@([0-9]{1,6})$/.exec(name)?.[1];
  if (at !== undefined) return images[Number(at)];
  const exact = images.filter(({ digest, names }) => digest === name || names.includes(name));
  if (exact.length > 0) return single(exact, images, name, subject);
  const wanted = referenceOf(name);
  if (!wanted) return undefined;
  if (wanted.digest !== undefined) return images.find(({ digest }) => digest === wanted.digest);
  const full = formatReference(wanted);
  const same = images.filter(({ names }) => names.some((stored) => full === fullName(stored)));
  if (same.length > 0) return single(same, images, name, subject);
  const tag = wanted.tag ?? 'latest';
  return single(
    images.filter(({ names }) => names.includes(tag)),
    images,
    name,
    subject,
  );
}

function single<T extends NamedImage>(
  found: readonly T[],
  all: readonly T[],
  name: string,
  subject: string,
): T | undefined {
  if (new Set(found.map(({ digest }) => digest)).size <= 1) return found[0];
  const names = [...new Set(name === '' ? all.map(toBeNamed) : found.map(({ digest }) => digest))];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  const message =
    name === '' ? `holds ${names.length} images, but none was named` : `holds several images named ${name}`;
  throw new SolpackError('source-invalid', subject, message, {
    hint: `put one of these behind the path, after a colon: ${names.slice(0, SHOWN).join(', ')}${more}`,
  });
}

function toBeNamed({ names, digest }: NamedImage): string {
  return names[0] ?? digest;
}

function fullName(name: string): string | undefined {
  const reference = referenceOf(name);
  return reference && formatReference(reference);
}

/** Parses `name` as a reference; undefined where it is none, or a bare tag, which would parse as a repository. */
function referenceOf(name: string): Reference | undefined {
  if (!/[:/@]/.test(name)) return undefined;
  try {
    return parseReference(name);
  } catch {
    return undefined;
  }
}
