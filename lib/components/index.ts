import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import type { Flow } from '../flow.ts';
import { inside } from '../paths.ts';
import { helm } from './helm.ts';
import type { Collected, ComponentKind, ComponentKindName, ComponentSpec, UnpackedComponent } from './kind.ts';
import { kustomize } from './kustomize.ts';
import { manifests } from './manifests.ts';
import { plugin } from './plugin.ts';
import { requireUnreserved } from './reserved.ts';

export type { ComponentKindName, UnpackedComponent } from './kind.ts';
export { checkVariables } from './plugin/variables.ts';

/** Every kind of component. A new one is a file, a line here, and its name in `kind.ts`. */
export const components = { manifests, kustomize, helm, plugin } satisfies Record<ComponentKindName, ComponentKind>;

/**
 * Lists the files of a component as its kind wants them and checks them. Nothing of it is run. Throws
 * `component-invalid`, `object-reserved`, `file-missing`, `file-unreadable`, `path-escapes`.
 */
export function collectComponent(spec: ComponentSpec, signal?: AbortSignal): Promise<Collected> {
  return components[spec.kind].collect(spec, signal);
}

/**
 * Refuses a component that could not be rendered: done for all of them before the first one is rendered. It asks
 * plugins which version of the convention they follow, and runs nothing else. Throws `plugin-failed`, `path-escapes`.
 */
export async function probe(kind: ComponentKindName, component: UnpackedComponent, flow: Flow): Promise<void> {
  requireInside(component);
  const { probe }: ComponentKind = components[kind];
  await probe?.(component, flow);
}

/**
 * The objects of a component, in the order it states them. Nothing outside of its folder is read or run. Throws
 * `tool-missing`, `tool-failed`, `component-invalid`, `object-reserved`, `path-escapes`, and what plugins end with: `plugin-failed`,
 * `plugin-unmet`, `plugin-misconfigured`.
 */
export async function render(
  kind: ComponentKindName,
  component: UnpackedComponent,
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  requireInside(component);
  const objects = await components[kind].render(component, flow);
  requireUnreserved(component.name, objects, component.namespace);
  return objects;
}

/** Whether the objects of components of that kind depend on the kinds that the cluster serves. */
export function asksKinds(kind: ComponentKindName): boolean {
  const { asksKinds = false }: ComponentKind = components[kind];
  return asksKinds;
}

function requireInside({ folder, entry, values }: UnpackedComponent): void {
  for (const path of [entry, ...values]) inside(folder, path);
}
