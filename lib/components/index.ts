import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import type { Flow } from '../flow.ts';
import { inside } from '../paths.ts';
import { helm } from './helm.ts';
import type { Collected, ComponentKind, ComponentKindName, ComponentSpec, UnpackedComponent } from './kind.ts';
import { kustomize } from './kustomize.ts';
import { manifests } from './manifests.ts';
import { plugin } from './plugin.ts';

/** Every kind of component. A new one is a file, a line here, and its name in `kind.ts`. */
export const components = { manifests, kustomize, helm, plugin } satisfies Record<ComponentKindName, ComponentKind>;

/**
 * Lists the files of a component as its kind wants them and checks them. Nothing of it is run. Throws
 * `component-invalid`, `file-missing`, `file-unreadable`, `path-escapes`.
 */
export function collect(spec: ComponentSpec, signal?: AbortSignal): Promise<Collected> {
  return components[spec.kind].collect(spec, signal);
}

/**
 * The objects of a component that was unpacked from an archive, in the order it states them. Nothing outside of its
 * folder is read or run. Throws `tool-missing`, `tool-failed`, `plugin-failed`, `component-invalid`, `path-escapes`.
 */
export async function render(
  kind: ComponentKindName,
  component: UnpackedComponent,
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  for (const path of [component.entry, ...component.values]) inside(component.folder, path);
  return components[kind].render(component, flow);
}
