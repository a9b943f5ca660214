import { parseReference } from '../oci/reference.ts';
import { type IsHeld, isImageName, isNamedImage, namesHost } from './reference-form.ts';
import type { Sibling } from './siblings.ts';
import type { FieldPath } from './yaml-fields.ts';

/** A reference whose parts stand in several places. */
export interface JoinedReference {
  readonly reference: string;
  /** Where its repository is, then its other parts. */
  readonly paths: readonly FieldPath[];
}

/** What the end of a name says that its value is of a reference. Longer ends come first. */
const parts = {
  repository: ['imagerepository', 'imagerepo', 'imagename', 'baseimage', 'repository', 'image', 'repo'],
  tag: ['imagetag', 'imageversion', 'tag', 'version'],
  digest: ['imagedigest', 'imagesha', 'digest', 'sha'],
  registry: ['imageregistry', 'registry'],
} as const;

type Part = keyof typeof parts;

/**
 * Finds references whose registry, repository, tag and digest are values of siblings with names such as `repository` and `tag`,
 * `image` and `version`, `SIDECAR_IMAGE_REPO` and `SIDECAR_IMAGE_TAG`. `within` is what all of them are called: where neither
 * that nor their names say that it is an image, the repository needs a host.
 */
export function joinedReferences(siblings: readonly Sibling[], within: string, isHeld: IsHeld): JoinedReference[] {
  const groups = new Map<string, Map<Part, Sibling & { readonly end: string }>>();
  for (const sibling of siblings) {
    const name = sibling.name.toLowerCase().replace(/[_.-]/g, '');
    for (const [part, ends] of Object.entries(parts) as [Part, readonly string[]][]) {
      const end = ends.find((candidate) => name.endsWith(candidate));
      const text = end !== undefined && textOf(sibling.value);
      if (!text) continue;
      const prefix = name.slice(0, -end.length);
      const group = groups.get(prefix) ?? new Map<Part, Sibling & { readonly end: string }>();
      if (!group.has(part)) group.set(part, { ...sibling, value: text, end });
      groups.set(prefix, group);
      break;
    }
  }
  return [...groups.values()].flatMap((group) => joined(group, within, isHeld));
}

function joined(
  group: ReadonlyMap<Part, Sibling & { readonly end: string }>,
  within: string,
  isHeld: IsHeld,
): JoinedReference[] {
  const [repository, tag, digest, registry] = [
    group.get('repository'),
    group.get('tag'),
    group.get('digest'),
    group.get('registry'),
  ];
  if (repository === undefined || (tag ?? digest) === undefined) return [];
  const named = isNamedImage(repository.name) || isNamedImage(within);
  // A version beside a repository is that of a chart, or of a program; beside an image it is its tag.
  if (tag?.end === 'version' && digest === undefined && !isNamedImage(repository.name)) return [];
  const base = String(repository.value);
  if (isSettled(base)) return [];
  const host = registry === undefined || namesHost(base) ? '' : `${String(registry.value).replace(/\/$/, '')}/`;
  const reference = host + base + (tag ? `:${tag.value}` : '') + (digest ? `@${digestOf(String(digest.value))}` : '');
  if (!isImageName(reference, { named }, isHeld)) return [];
  const used = [repository, tag, digest, host === '' ? undefined : registry];
  return [{ reference, paths: used.flatMap((one) => (one ? [one.path] : [])) }];
}

/** Whether what stands for a repository has a tag or a digest of its own. */
function isSettled(base: string): boolean {
  try {
    const { tag, digest } = parseReference(base);
    return (tag ?? digest) !== undefined;
  } catch {
    return true;
  }
}

/** Tags such as 1.27 may be written as numbers. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function digestOf(value: string): string {
  return /^[0-9a-f]{64}$/.test(value) ? `sha256:${value}` : value;
}
