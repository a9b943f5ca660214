import { text, utf8 } from '../../../formats/bytes.ts';
import { formatReference, parseReference, readReference } from '../../../formats/oci/reference.ts';
import { addImages } from '../../../formats/solution/add-images.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import { editStrings, type StringEdit } from '../../../formats/solution/edit-strings.ts';
import { removeImages } from '../../../formats/solution/remove-images.ts';
import { type Flow, lend, refused, SolpackError } from '../../kernel/events/index.ts';
import {
  checkDefinitionBytes,
  definedBy,
  type LockMode,
  missingOf,
  openComponentSources,
  readUse,
} from '../pack/index.ts';
import type { Earlier } from './earlier.ts';
import type { NewerInputs, RawDefinition } from './newer-input.ts';
import type { UpdateRequest } from './request.ts';
import { retagged } from './retagged.ts';

/** A definition in which images follow what its components name. */
export interface FollowedImages {
  /** The text of the definition. */
  readonly text: string;
  /** The images that replace others, by the reference that they had. */
  readonly replaced: ReadonlyMap<string, string>;
}

/**
 * Writes what was found into the text of a definition, and lets its images follow: an image that objects now name
 * replaces one of the same repository that they no longer name, otherwise it is added; one that they have stopped to
 * name is removed. Throws what fetching and rendering throw, and `image-absent` for an image that is not from a
 * registry.
 */
export async function followImages(
  { read, raw }: Earlier,
  { components, images, unused }: NewerInputs,
  { request, mode }: { readonly request: UpdateRequest; readonly mode: LockMode },
  flow: Flow,
): Promise<FollowedImages> {
  const { definition: path } = request;
  const edits = [...components.values(), ...images.values()].flatMap((found) => found.edits);
  const before = text(read.bytes, 'toml-invalid');
  const edit = (work: () => string): Promise<string> => refused('definition-invalid', path, work, 'edit it by hand');
  const raised = await edit(() =>
    editStrings(before, [...edits, ...operatorEdits(read.definition.operator, raw, edits)]),
  );
  const { definition } = await checkDefinitionBytes(path, utf8(raised));
  const { before: lock } = read;
  const keeps = request.plan !== true;
  const from = { definition: path, lock, mode, connections: request.sources, keeps };
  const quiet = { ...flow, onEvent: () => undefined };
  const use = await lend(openComponentSources(from, flow), (sources) => readUse(definition, request, sources, quiet));
  const missing = missingOf(use.used(definedBy(definition.images, lock)), quiet);
  const idle = use.unused((image, name) => [lock, undefined].some((one) => definedBy([image], one)(name)));
  const pairs = pairsOf(
    missing,
    definition.images.filter(({ reference }) => idle.includes(reference)),
  );
  const numberOf = (reference: string): number => definition.images.findIndex((one) => one.reference === reference);
  const renamed = [...pairs].flatMap(([now, was]) => renaming(raw, numberOf(was.reference), was, now));
  const paired = [...pairs.values()].map(({ reference }) => reference);
  const stopped = idle.filter((one) => !paired.includes(one) && !unused.includes(one));
  const followed = await edit(() => {
    const exact = editStrings(raised, [...renamed, ...operatorEdits(definition.operator, raw, renamed)]);
    return addImages(
      removeImages(exact, stopped.map(numberOf)),
      missing.filter((one) => !pairs.has(one)),
    );
  });
  const replaced = new Map([...pairs].map(([now, { reference }]) => [reference, formatReference(parseReference(now))]));
  return { text: followed, replaced };
}

/** Finds for each missing reference an image of the same repository that is not needed any longer. */
function pairsOf(missing: readonly string[], idle: readonly ImageDefinition[]): Map<string, ImageDefinition> {
  const left = [...idle];
  const pairs = new Map<string, ImageDefinition>();
  for (const one of missing) {
    const { registry, repository } = parseReference(one);
    const at = left.findIndex(({ reference }) => {
      const other = parseReference(reference);
      return other.registry === registry && other.repository === repository;
    });
    if (at >= 0) pairs.set(one, left.splice(at, 1)[0]!);
  }
  return pairs;
}

/** Makes the edits by which an image gets another reference, spelled as it is. */
function renaming(raw: RawDefinition, number: number, was: ImageDefinition, now: string): StringEdit[] {
  const { reference, source } = raw.images![number]!;
  const { tag, digest } = parseReference(now);
  const spelled = tag === undefined || digest !== undefined ? now : retagged(reference, tag);
  const own = { path: `images.${number}.reference`, to: spelled };
  if (source === undefined) return [own];
  const place = source.startsWith('docker://') ? readReference(source.slice('docker://'.length)) : undefined;
  if (
    tag !== undefined &&
    digest === undefined &&
    place?.digest === undefined &&
    place?.tag === parseReference(was.reference).tag
  ) {
    return [own, { path: `images.${number}.source`, to: retagged(source, tag) }];
  }
  throw new SolpackError('image-absent', now, `is needed instead of ${was.reference}, which comes from ${source}`, {
    hint: 'put it there, and write its reference and its source into the definition; or leave its component out: --only',
  });
}

/** Makes the edit of `operator`, where it names an image whose reference is edited. */
function operatorEdits(
  operator: string | undefined,
  { images = [] }: RawDefinition,
  edits: readonly StringEdit[],
): StringEdit[] {
  if (operator === undefined) return [];
  const number = images.findIndex(({ reference }) => formatReference(parseReference(reference)) === operator);
  const edit = edits.find(({ path }) => path === `images.${number}.reference`);
  return edit === undefined ? [] : [{ path: 'operator', to: edit.to }];
}
