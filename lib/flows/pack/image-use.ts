import { formatReference, parseReference, referenceFault } from '../../../formats/oci/reference.ts';
import type { Definition, ImageDefinition } from '../../../formats/solution/definition.ts';
import { UNDATED } from '../../../formats/solution/metadata.ts';
import type { Flow } from '../../kernel/events/index.ts';
import {
  declaredApis,
  examine,
  examinedImages,
  isExternal,
  isRenderable,
  provableVersions,
  referenceReader,
  tellAsked,
  type UsedImage,
  unusedCandidates,
  unusedImages,
} from '../../shared/rendering/index.ts';
import type { ComponentSources } from './component-sources.ts';
import { resolveComponent } from './components.ts';
import { Content } from './content.ts';
import type { InputsRequest } from './prepare.ts';
import { renderableInputs } from './renderable.ts';

/** What the objects of a definition name, once they are rendered. */
export interface ImageUse {
  /** Tells the images that they name, by what is held. */
  readonly used: (isHeld: (name: string) => boolean) => UsedImage[];
  /** Returns which images of the definition they do not name, by whether a name is that of an image. */
  readonly unused: (isOf: (image: ImageDefinition, name: string) => boolean) => string[];
}

/** Renders components, and reads which images their objects name. */
export async function readUse(
  definition: Definition,
  { definition: path, apiVersions = [] }: Pick<InputsRequest, 'definition' | 'apiVersions'>,
  sources: ComponentSources,
  flow: Flow,
): Promise<ImageUse> {
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
export function missingOf(used: readonly UsedImage[], flow: Flow): string[] {
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
