import * as fs from 'node:fs/promises';
import { text, utf8 } from '../../../formats/bytes.ts';
import { formatReference, parseReference, referenceFault } from '../../../formats/oci/reference.ts';
import { addImages } from '../../../formats/solution/add-images.ts';
import type { Definition, ImageDefinition } from '../../../formats/solution/definition.ts';
import { UNDATED } from '../../../formats/solution/metadata.ts';
import { removeImages } from '../../../formats/solution/remove-images.ts';
import { type Flow, lend, refused } from '../../kernel/events/index.ts';
import { readFile, writeFile } from '../../kernel/files/index.ts';
import type { SourceConnections } from '../../parts/sources/index.ts';
import {
  declaredApis,
  examine,
  examinedImages,
  isExternal,
  isRenderable,
  provableVersions,
  type ReportedImage,
  referenceReader,
  reportImages,
  tellAsked,
  type UsedImage,
  unusedCandidates,
  unusedImages,
} from '../../shared/rendering/index.ts';
import { type ComponentSources, openComponentSources } from './component-sources.ts';
import { resolveComponent } from './components.ts';
import { Content } from './content.ts';
import { definedBy } from './defined-images.ts';
import { lockPath, readLock } from './lock.ts';
import { readDefinition } from './prepare.ts';
import { renderableInputs } from './renderable.ts';

/** Which images to list. */
export interface ImagesRequest {
  /** Path of the definition, absolute. */
  readonly definition: string;
  /** Whether the definition gets those that it lacks. */
  readonly write?: boolean | undefined;
  /** Whether those are taken out that no component names. */
  readonly prune?: boolean | undefined;
  /** What else clusters serve, as `group/version` and `group/version/Kind`. Left out: nothing. */
  readonly apiVersions?: readonly string[] | undefined;
  /** How components are fetched that lie elsewhere; left out, they are refused. */
  readonly sources?: SourceConnections | undefined;
}

/** The images that the objects of a definition name. */
export interface ImagesResult {
  readonly images: readonly ReportedImage[];
  /** The images that the definition lists without keep, and that no component names. */
  readonly unused: readonly string[];
}

/**
 * Renders the components of a definition as `pack` does, and lists the images that their objects name. Opens no source
 * of an image. With `write`, it adds to the definition the missing images that no site provides, after the existing
 * ones; with `prune`, it removes those that no component names. Nothing else in the definition changes. Throws what
 * rendering throws, `definition-invalid`, `file-missing`.
 */
export async function listImages(request: ImagesRequest, flow: Flow): Promise<ImagesResult> {
  const { definition: path, write = false, prune = false } = request;
  const { definition } = await readDefinition(path);
  const lock = await readLock(lockPath(path));
  const from = { definition: path, lock, mode: 'use', connections: request.sources, keeps: write } as const;
  const read = await lend(openComponentSources(from, flow), (sources) => readUse(definition, request, sources, flow));
  const stated = read.used(definedBy(definition.images, lock));
  // A digest may be that of one platform of an image, which nobody opens here.
  const unused = read.unused((image, name) => [lock, undefined].some((one) => definedBy([image], one)(name)));
  const missing = write ? missingOf(stated, flow) : [];
  const gone = prune ? unused : [];
  if (missing.length + gone.length === 0) return { images: reportImages(stated), unused };
  const numbers = definition.images.flatMap(({ reference }, at) => (gone.includes(reference) ? [at] : []));
  await edit(path, (before) => addImages(removeImages(before, numbers), missing));
  const tell = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
  for (const subject of gone) tell(subject, 'was removed from the definition');
  for (const subject of missing) tell(subject, 'was added to the definition');
  const { definition: edited } = await readDefinition(path);
  return { images: reportImages(read.used(definedBy(edited.images, lock))), unused: prune ? [] : unused };
}

/** What the objects of a definition name, once they are rendered. */
interface Use {
  /** Tells the images that they name, by what is held. */
  readonly used: (isHeld: (name: string) => boolean) => UsedImage[];
  /** Returns which images of the definition they do not name, by whether a name is that of an image. */
  readonly unused: (isOf: (image: ImageDefinition, name: string) => boolean) => string[];
}

/** Renders components, and reads which images their objects name. */
async function readUse(
  definition: Definition,
  { definition: path, apiVersions = [] }: ImagesRequest,
  sources: ComponentSources,
  flow: Flow,
): Promise<Use> {
  const content = new Content();
  const components = [];
  for (const component of definition.components) {
    flow.onEvent({ type: 'step', step: 'collect', subject: `${component.kind} ${component.name}` });
    components.push(await resolveComponent(component, sources, content, flow));
  }
  const inputs = { definition, images: [], components, given: [], created: definition.created ?? UNDATED };
  const solution = renderableInputs(path, inputs, content);
  const { metadata } = solution;
  const clusters = { versions: provableVersions(metadata), apis: [...declaredApis(metadata), ...apiVersions] };
  const examination = await examine(solution, clusters, new Map(), flow);
  for (const { error } of examination.versions.flatMap(({ refusals }) => refusals)) throw error;
  for (const { name } of metadata.components.filter((one) => !isRenderable(one))) {
    flow.onEvent({
      type: 'notice',
      subject: name,
      message: 'can only be rendered by an install: its images are unknown',
    });
  }
  tellAsked(examination, clusters.apis, flow);
  const external = (reference: string): boolean => isExternal(definition.externalImages, reference);
  const brought = { metadata, isExternal: external, strict: false };
  const listed = new Map(definition.images.map((image) => [image.reference, image]));
  return {
    used: (isHeld) => examinedImages(examination, { ...brought, isHeld, references: referenceReader(isHeld) }, path),
    unused: (isOf) =>
      unusedImages(unusedCandidates(definition, metadata.components), examination, (image, name) =>
        isOf(listed.get(image)!, name),
      ),
  };
}

/**
 * The references that a definition lacks, each image once: with its digest, where it is named with and without. A bare
 * word is never among them: where a container runs it, its full name is, and elsewhere it may be anything.
 */
function missingOf(used: readonly UsedImage[], flow: Flow): string[] {
  const tell = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
  const unheld = used.filter(({ held, external }) => !held && !external);
  const certain = new Set(unheld.flatMap(({ certainty, reference }) => (certainty === 'certain' ? [reference] : [])));
  const names = new Map<string, string>();
  for (const reference of new Set(unheld.map((one) => one.reference))) {
    const fault = referenceFault(reference);
    if (fault !== undefined) {
      tell(reference, `cannot be added: ${fault}`);
      continue;
    }
    const full = formatReference(parseReference(reference));
    if (!isBareWord(reference)) names.set(full, names.get(full) ?? reference);
    else if (certain.has(reference)) names.set(full, names.get(full) ?? full);
    else tell(reference, `may not be an image, and was not added; if it is one, add ${full} by hand`);
  }
  return [...names].flatMap(([full, reference]) =>
    [...names.keys()].some((other) => other.startsWith(`${full}@`)) ? [] : [reference],
  );
}

function isBareWord(reference: string): boolean {
  return !/[/:@]/.test(reference);
}

/** Edits the file of a definition, which keeps its mode and, if it is a link, stays one. */
async function edit(path: string, change: (text: string) => string): Promise<void> {
  const real = await fs.realpath(path);
  const { mode } = await fs.stat(real);
  const before = text(await readFile(real), 'toml-invalid');
  const after = await refused('definition-invalid', path, () => change(before), 'edit it by hand');
  await writeFile(real, utf8(after), mode & 0o777);
}
