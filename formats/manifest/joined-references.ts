import { readReference } from '../oci/reference.ts';
import { type IsHeld, isImageName, isNamedImage, namesHost } from './reference-form.ts';
import type { Sibling } from './siblings.ts';
import type { FieldPath } from './yaml-fields.ts';

/** A reference whose parts stand in several places. */
export interface JoinedReference {
  readonly reference: string;
  /** Where the name of its image is, then its other parts. */
  readonly paths: readonly FieldPath[];
}

/** What the end of a name says that its value is of a reference. Longer ends come first. */
const parts = {
  repository: ['imagerepository', 'imagerepo', 'repository', 'repo'],
  image: ['imagename', 'baseimage', 'image'],
  tag: ['imagetag', 'imageversion', 'tag', 'version'],
  digest: ['imagedigest', 'imagesha', 'digest', 'sha'],
  registry: ['imageregistry', 'imagehub', 'registry', 'hub'],
} as const;

type Part = keyof typeof parts;

/** A value that is a part of a reference, and the end of its name that says so. */
interface Piece {
  readonly name: string;
  readonly text: string;
  readonly path: FieldPath;
  readonly end: string;
}

type Pieces = { readonly [part in Part]?: Piece | undefined };

/**
 * Finds references whose registry, repository, image, tag and digest are values of siblings with names such as
 * `repository` and `tag`, `repository`, `image` and `version`, `SIDECAR_IMAGE_REPO` and `SIDECAR_IMAGE_TAG`. `within`
 * is what all of them are called: where neither that nor their names say that it is an image, the repository needs a
 * host. `above` has the fields beside `within`: an image takes registry and tag from there if it has none.
 */
export function joinedReferences(
  siblings: readonly Sibling[],
  within: string,
  above: readonly Sibling[],
  isHeld: IsHeld,
): JoinedReference[] {
  const shared = above.length === 0 ? undefined : groupsOf(above, '').get('');
  return [...groupsOf(siblings, within)].flatMap(([prefix, group]) =>
    joined(group, within, prefix === '' ? shared : undefined, isHeld),
  );
}

/** Whether something that is called an image is only a part of one: other parts of it stand beside it. */
export function isPartOfImage(fields: Readonly<Record<string, unknown>>): boolean {
  return ['repository', 'registry', 'hub', 'tag', 'version', 'digest'].some((name) => name in fields);
}

/** Groups parts by what their names have in common. */
function groupsOf(siblings: readonly Sibling[], within: string): Map<string, Partial<Record<Part, Piece>>> {
  const groups = new Map<string, Partial<Record<Part, Piece>>>();
  for (const { name, value, path } of siblings) {
    const text = textOf(value);
    if (text === undefined) continue;
    const plain = name.toLowerCase().replace(/[_.-]/g, '');
    for (const [part, ends] of Object.entries(parts) as [Part, readonly string[]][]) {
      const end = ends.find((candidate) => plain.endsWith(candidate));
      if (end === undefined) continue;
      addPiece(groups, plain.slice(0, -end.length), part, { name, text, path, end });
      break;
    }
  }
  const own = groups.get('');
  const called = siblings.find(({ name }) => name === 'name');
  const text = called && textOf(called.value);
  // As in `image: {registry: …, name: …, tag: …}`.
  if (own && !own.image && !own.repository && text !== undefined && isNamedImage(within)) {
    own.image = { name: 'image', text, path: called!.path, end: 'name' };
  }
  return groups;
}

/**
 * Adds a part to its group. A value such as `sha256:…` of a field for tags is a digest. Of two for one part, the first
 * counts.
 */
function addPiece(groups: Map<string, Partial<Record<Part, Piece>>>, prefix: string, part: Part, piece: Piece): void {
  const group = groups.get(prefix) ?? {};
  const real = part === 'tag' && /^sha256:[0-9a-f]{64}$/.test(piece.text) ? 'digest' : part;
  group[real] ??= piece;
  groups.set(prefix, group);
}

function joined(group: Pieces, within: string, shared: Pieces | undefined, isHeld: IsHeld): JoinedReference[] {
  const [image, repository] = [group.image, group.repository].map((one) => (one && isOpen(one.text) ? one : undefined));
  const named = image !== undefined || (repository && isNamedImage(repository.name)) || isNamedImage(within);
  // What stands above belongs to images, and not to everything that has a repository.
  const ways = named && shared ? [completed(group, shared), group] : [group];
  const found = ways.flatMap((parts) => formsOf({ ...parts, image, repository }, named === true, isHeld));
  const first = found.find(({ reference }) => isHeld(reference)) ?? found[0];
  return first ? [first] : [];
}

/** Takes registry and tag from above where a group has none, if there is a registry. */
function completed(group: Pieces, shared: Pieces): Pieces {
  const registry =
    group.registry ?? (shared.registry && namesHost(`${shared.registry.text}/`) ? shared.registry : undefined);
  if (registry === undefined) return group;
  const isTagged = (group.tag ?? group.digest) !== undefined;
  return isTagged || shared.tag?.end === 'version' ? { ...group, registry } : { ...group, registry, tag: shared.tag };
}

/** Puts the parts together: an image below its repository; where that names none, by itself. */
function formsOf(pieces: Pieces, named: boolean, isHeld: IsHeld): JoinedReference[] {
  const { image, repository, tag, digest, registry } = pieces;
  const single = image ?? repository;
  if (single === undefined || (tag ?? digest) === undefined) return [];
  // A version beside a repository is that of a chart, or of a program; beside an image it is its tag.
  if (tag?.end === 'version' && digest === undefined && !isNamedImage(single.name)) return [];
  const below = image && repository && !namesHost(image.text) ? [[image, repository]] : [];
  for (const names of [...below, [single]]) {
    const name = names.map(({ text }) => text.replace(/\/$/, '')).toReversed();
    const host = registry === undefined || namesHost(name.join('/')) ? undefined : registry;
    const path = [...(host ? [host.text.replace(/\/$/, '')] : []), ...name].join('/');
    const reference = path + (tag ? `:${tag.text}` : '') + (digest ? `@${digestOf(digest.text)}` : '');
    if (!isImageName(reference, { named }, isHeld)) continue;
    const used = [...names, tag, digest, host];
    return [{ reference, paths: used.flatMap((one) => (one ? [one.path] : [])) }];
  }
  return [];
}

/** Whether what stands for a repository or an image has neither tag nor digest. */
function isOpen(text: string): boolean {
  const reference = readReference(text);
  return reference === undefined || (reference.tag ?? reference.digest) === undefined;
}

/** Tags such as 1.27 may be written as numbers. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function digestOf(value: string): string {
  return /^[0-9a-f]{64}$/.test(value) ? `sha256:${value}` : value;
}
