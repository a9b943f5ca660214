import type { ChartMentions, ChartTraits } from '../../../formats/chart/text-traits.ts';
import type { JsonSchema } from '../../../formats/json-schema/schema.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { collectWhileReading } from '../../../formats/manifest/yaml.ts';
import type { ReadPreviousVersion } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { inside } from '../../kernel/files/index.ts';
import { collectGarbage } from '../../kernel/machine/index.ts';
import { componentsD } from './components-d.ts';
import { helm } from './helm.ts';
import type {
  Collected,
  ComponentKind,
  ComponentKindName,
  ComponentSpec,
  StatedObject,
  UnpackedComponent,
} from './kind.ts';
import { kustomize } from './kustomize.ts';
import { manifests } from './manifests.ts';
import { ofComponent } from './of-component.ts';
import { plainBundle } from './plain-bundle.ts';
import { plugin } from './plugin.ts';
import { registryBundle } from './registry-bundle.ts';
import { requireUnreserved } from './reserved.ts';

export {
  /** Returns a file on the disk, as the component has it under `path`. */
  fileAt,
  /** Names of folders that are no part of what they lie in: history, and what was fetched for a definition. */
  omitted,
} from './files.ts';
export type {
  /** Everything that a component puts into an archive. */
  Collected,
  CollectedFile,
  ComponentKindName,
  /** One component of the definition. */
  ComponentSpec,
  /** Gets parts of components that lie on a network. */
  RemoteParts,
  StatedObject,
  UnpackedComponent,
} from './kind.ts';
export { patchObjects } from './patch.ts';
export type { ObjectPatch } from './patch-targets.ts';
export { checkVariables, nodeVariables } from './plugin/index.ts';
export { requireUnreserved } from './reserved.ts';
export {
  /** Where the schema of what sites may set is, below the folder of its component. */
  SITE_SCHEMA,
  /** Lists the schema that a definition in the folder `root` names for a component; nothing where it names none. */
  siteSchemaFiles,
} from './site-schema.ts';
export { writeTemporary } from './temporary-files.ts';
export type {
  /** Kinds of components that a tree may hold. */
  TreeComponentKind,
} from './tree/index.ts';
export { type ComponentTree, type Entry, folderLabel, readTree } from './tree/index.ts';

// What components are made of is read before anybody is trusted.
collectWhileReading(collectGarbage);

/** Every kind of component. A new one is a file, a line here, and its name in `kind.ts`. */
export const components = {
  manifests,
  kustomize,
  helm,
  plugin,
  'registry+v1': registryBundle,
  'plain+v0': plainBundle,
  'components.d': componentsD,
} satisfies Record<ComponentKindName, ComponentKind>;

/**
 * Lists and checks the files of a component by the rules of its kind. Runs nothing of it. Throws `component-invalid`,
 * `object-reserved`, `file-missing`, `file-unreadable`, `path-escapes`.
 */
export function collectComponent(spec: ComponentSpec, signal?: AbortSignal): Promise<Collected> {
  return ofComponent(spec.name, () => components[spec.kind].collect(spec, signal));
}

/**
 * Refuses a component that cannot be rendered; called for all components before the first is rendered. Asks plugins for
 * the version of the convention that they follow, and runs nothing else. Throws `plugin-failed`, `path-escapes`.
 */
export async function probe(kind: ComponentKindName, component: UnpackedComponent, flow: Flow): Promise<void> {
  requireInside(component);
  const { probe }: ComponentKind = components[kind];
  await probe?.(component, flow);
}

/**
 * Renders a component, and returns its objects in the order in which it states them. Reads and runs nothing outside of
 * its folder. Throws `tool-missing`, `tool-failed`, `component-invalid`, `object-reserved`, `path-escapes`, and the
 * failures of plugins: `plugin-failed`, `plugin-unmet`, `plugin-misconfigured`.
 */
export async function render(
  kind: ComponentKindName,
  component: UnpackedComponent,
  flow: Flow,
): Promise<readonly StatedObject[]> {
  requireInside(component);
  const stated = await ofComponent(component.name, () => components[kind].render(component, flow), component.folder);
  requireUnreserved(
    component.name,
    stated.map(({ object }) => object),
    component.namespace,
  );
  return stated;
}

/**
 * Returns the custom resources that have to change because another version of the component's Solution was there, in
 * their new form, with the `uid` and the `generation` of those before. `readPreviousVersion` is asked only where it
 * matters. Throws the failures of plugins.
 */
export async function migrations(
  kind: ComponentKindName,
  component: UnpackedComponent,
  readPreviousVersion: ReadPreviousVersion,
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  requireInside(component);
  const { upgrade }: ComponentKind = components[kind];
  return (await upgrade?.(component, readPreviousVersion, flow)) ?? [];
}

const nothing: ChartTraits = { asksKinds: false, looksUp: false, draws: false, defines: [] };

/** Returns whether the objects of that kind of component are the same for every cluster. */
export function isFixed(kind: ComponentKindName): boolean {
  const { isFixed: fixed = false }: ComponentKind = components[kind];
  return fixed;
}

/** Returns whether a component of that kind has to be in a folder to be rendered. */
export function needsFolder(kind: ComponentKindName): boolean {
  const { needsNoFolder = false }: ComponentKind = components[kind];
  return !needsNoFolder;
}

/** What sites may set as values for that kind of component, where that is the same for all of them. */
export function valuesOfKind(kind: ComponentKindName): JsonSchema | undefined {
  const { values }: ComponentKind = components[kind];
  return values;
}

/** Returns what can be known of rendering a component without doing it. Throws `component-invalid`, `path-escapes`. */
export async function traitsOf(kind: ComponentKindName, component: UnpackedComponent): Promise<ChartTraits> {
  requireInside(component);
  const { traits }: ComponentKind = components[kind];
  return (await traits?.(component)) ?? nothing;
}

/** Reads what the templates of a component mention. Throws `component-invalid`, `path-escapes`. */
export async function mentionsOf(kind: ComponentKindName, component: UnpackedComponent): Promise<ChartMentions> {
  requireInside(component);
  const { mentions }: ComponentKind = components[kind];
  return (await mentions?.(component)) ?? { asks: [], defines: [] };
}

function requireInside({ folder, entry, values }: UnpackedComponent): void {
  for (const path of [entry, ...values]) inside(folder, path);
}
