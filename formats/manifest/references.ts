import { isRecord } from '../record.ts';
import { isPartOfImage, joinedReferences } from './joined-references.ts';
import { groupOf } from './namespace.ts';
import type { KubernetesObject } from './object.ts';
import { type IsHeld, isImageName, isNamedImage, namesHost, type StringPlace } from './reference-form.ts';
import { referencesInText } from './reference-text.ts';
import { type Sibling, siblingsIn } from './siblings.ts';
import { structureOf } from './text-structure.ts';
import type { FieldPath } from './yaml-fields.ts';

/** An image that an object names, and where it does so. */
export interface ImageReference {
  /** As it is written; where its parts stand apart, put together. */
  readonly reference: string;
  /** The field that has it; where its parts stand apart, that of the image's name. */
  readonly path: FieldPath;
  /** `certain` for what a container runs or a volume mounts, `likely` for what only has the form of a reference. */
  readonly certainty: 'certain' | 'likely';
  /** Whether a node may pull it, which it may not if the pull policy is `Never`. */
  readonly pulled: boolean;
  /** Whether it is all that the field has. */
  readonly whole: boolean;
  /** Where its other parts are, if they stand apart. */
  readonly joined?: readonly FieldPath[];
}

/**
 * Finds the images that an object names. Certain are those of containers and image volumes, of Pods, templates and
 * whatever embeds them (Kubernetes API, `Container`, `ImageVolumeSource`). Likely is a string anywhere else that names
 * one which `isHeld`, or that has a host and a tag or a digest; also as part of an option or of a text, or with
 * repository and tag in sibling fields. Definitions of kinds and rights name none. Of Secrets, only what is held is
 * reported.
 */
export function referencesIn(object: KubernetesObject, isHeld: IsHeld): ImageReference[] {
  if (groupOf(object) === 'rbac.authorization.k8s.io' || object.kind === 'CustomResourceDefinition') return [];
  const finder = new Finder(isHeld);
  const { apiVersion: _, kind, metadata, status: __, ...fields } = object;
  finder.annotations(metadata['annotations'], ['metadata', 'annotations']);
  if (kind === 'Secret' && groupOf(object) === '') finder.secret(fields, []);
  else finder.record(fields, [], '', []);
  return finder.found;
}

/** Writes the place of a reference: names of fields and numbers of entries, with dots between. */
export function fieldName(path: FieldPath): string {
  return path.join('.');
}

const lists: readonly string[] = ['containers', 'initContainers', 'ephemeralContainers'];

/** Fields for people to read: what they mention is an example. */
const prose: readonly string[] = ['description', 'displayName', 'summary', 'message'];

/**
 * What something has besides its image if it is run as containers are: steps of Tekton, templates of Argo Workflows.
 */
const ofContainers: Readonly<Record<string, (value: unknown) => boolean>> = {
  command: isTextOrList,
  args: isTextOrList,
  env: Array.isArray,
  envFrom: Array.isArray,
  script: (value) => typeof value === 'string',
  imagePullPolicy: (value) => typeof value === 'string',
  volumeMounts: Array.isArray,
};

class Finder {
  readonly found: ImageReference[] = [];
  readonly #isHeld: IsHeld;
  /** The field whose text is looked into as a document; undefined for the object itself. */
  readonly #text: FieldPath | undefined;

  constructor(isHeld: IsHeld, text?: FieldPath) {
    this.#isHeld = isHeld;
    this.#text = text;
  }

  /** An annotation names an image or does not; what a long one mentions is a copy, or an example. */
  annotations(value: unknown, path: FieldPath): void {
    for (const [name, text] of entriesOf(value)) {
      if (typeof text !== 'string' || !isImageName(text, { named: isNamedImage(name) }, this.#isHeld)) continue;
      this.#add(text, [...path, name]);
    }
  }

  secret(fields: Readonly<Record<string, unknown>>, path: FieldPath): void {
    for (const field of ['data', 'stringData'] as const) {
      for (const [name, value] of entriesOf(fields[field])) {
        if (typeof value !== 'string') continue;
        const text = field === 'data' ? Buffer.from(value, 'base64').toString() : value;
        const whole = field === 'stringData' && this.#isHeld(text);
        const held = whole ? [text] : referencesInText(text, this.#isHeld).filter(this.#isHeld);
        for (const one of held) this.#add(one, [...path, field, name], whole);
      }
    }
  }

  /** Looks through the fields of a record. `above` are those beside it. */
  record(value: Readonly<Record<string, unknown>>, path: FieldPath, within: string, above: readonly Sibling[]): void {
    const entries = entriesOf(value);
    const siblings = entries.map(([name, one]): Sibling => ({ name, value: one, path: [...path, name] }));
    this.#joined(siblings, within, above);
    const container = isLikeContainer(value);
    // Variables and parameters have their name in a field of its own.
    const { name: called } = value;
    for (const [name, one] of entries) {
      const at = [...path, name];
      if (name === 'annotations' && path.at(-1) === 'metadata') this.annotations(one, at);
      else if (lists.includes(name) && Array.isArray(one)) this.#containers(one, at);
      else if (name === 'volumes' && Array.isArray(one)) this.#volumes(one, at);
      else if (prose.includes(name) && typeof one === 'string') continue;
      else {
        const label = name === 'value' && typeof called === 'string' ? called : name;
        const place = { named: isNamedImage(label), container: container && name === 'image' };
        this.#any(one, at, label, place, siblings);
      }
    }
  }

  #any(value: unknown, path: FieldPath, label: string, place: StringPlace, above: readonly Sibling[] = []): void {
    if (Array.isArray(value)) this.#list(value, path, label);
    else if (isRecord(value)) this.record(value, path, label, above);
    else if (typeof value === 'string') this.#string(value, path, place);
  }

  #list(values: readonly unknown[], path: FieldPath, label: string): void {
    this.#joined(siblingsIn(values, path), label, []);
    for (const [at, value] of values.entries()) {
      const before: unknown = values[at - 1];
      const option = typeof before === 'string' && /^-[^=]*$/.test(before) ? before : label;
      this.#any(value, [...path, at], label, { named: isNamedImage(option) });
    }
  }

  #string(value: string, path: FieldPath, place: StringPlace): void {
    if (isImageName(value, place, this.#isHeld)) {
      this.#add(value, path, true);
      return;
    }
    if (!/[:@]/.test(value) && !value.includes('\n')) return;
    const structure = this.#text === undefined ? structureOf(value) : undefined;
    if (structure === undefined) {
      for (const one of referencesInText(value, this.#isHeld)) this.#add(one, path, false);
      return;
    }
    const inner = new Finder(this.#isHeld, path);
    for (const document of structure) inner.#any(document, [], '', { named: false });
    const known = new Set<string>();
    for (const one of inner.found) {
      if (!known.has(one.reference)) this.found.push(one);
      known.add(one.reference);
    }
  }

  #containers(items: readonly unknown[], path: FieldPath): void {
    for (const [at, item] of items.entries()) {
      if (!isRecord(item)) {
        this.#any(item, [...path, at], 'containers', { named: false });
        continue;
      }
      const { image, ...others } = item;
      if (typeof image === 'string' && image !== '')
        this.#certain(image, [...path, at, 'image'], item['imagePullPolicy']);
      else if (image !== undefined) this.#any(image, [...path, at, 'image'], 'image', { named: true });
      this.record(others, [...path, at], 'container', []);
    }
  }

  #volumes(items: readonly unknown[], path: FieldPath): void {
    for (const [at, item] of items.entries()) {
      const image = isRecord(item) ? item['image'] : undefined;
      if (!isRecord(image) || typeof image['reference'] !== 'string' || image['reference'] === '') {
        this.#any(item, [...path, at], 'volumes', { named: false });
      } else this.#certain(image['reference'], [...path, at, 'image', 'reference'], image['pullPolicy']);
    }
  }

  #joined(siblings: readonly Sibling[], within: string, above: readonly Sibling[]): void {
    for (const { reference, paths } of joinedReferences(siblings, within, above, this.#isHeld)) {
      const [path = [], ...others] = paths;
      if (this.#text) this.#add(reference, path, false);
      else this.found.push({ ...likely(reference, path, false), joined: others });
    }
  }

  #certain(reference: string, path: FieldPath, policy: unknown): void {
    if (this.#text) this.#add(reference, path, false);
    else this.found.push({ reference, path, certainty: 'certain', pulled: policy !== 'Never', whole: true });
  }

  #add(reference: string, path: FieldPath, whole: boolean = true): void {
    this.found.push(this.#text ? likely(reference, this.#text, false) : likely(reference, path, whole));
  }
}

function likely(reference: string, path: FieldPath, whole: boolean): ImageReference {
  return { reference, path, certainty: 'likely', pulled: true, whole };
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** Whether something is run as containers are, so that its image is one whatever it looks like. */
function isLikeContainer(value: Readonly<Record<string, unknown>>): boolean {
  const { image } = value;
  if (typeof image !== 'string' || (isPartOfImage(value) && !namesHost(image))) return false;
  return Object.entries(ofContainers).some(([field, fits]) => fits(value[field]));
}

function isTextOrList(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
