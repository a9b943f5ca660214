import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { agentPart } from './agent.ts';
import { loaderPart } from './loader.ts';
import { repairPart } from './repair.ts';
import type { ManifestPart, ManifestSettings } from './settings.ts';

export {
  /** A rule of RBAC (rbac.authorization.k8s.io/v1, PolicyRule). */
  type AccessRule,
  /** Where the Pods of a part get files from: a folder of their node, or a PersistentVolumeClaim. */
  type FilesFrom,
  /** What a loader and the ConfigMap of its progress are called. */
  LOADER,
  /** A part of solpack that runs in a cluster, and the objects that it needs there. */
  type ManifestPart,
  /** Settings of a part for printing its objects. */
  type ManifestSettings,
  SETTINGS,
} from './settings.ts';

/** Every part of solpack that runs in a cluster. To add one, write a `ManifestPart` and name it here. */
const parts = { agent: agentPart, loader: loaderPart, repair: repairPart } as const satisfies Record<
  string,
  ManifestPart
>;

/** A part of solpack that runs in a cluster. */
export type ManifestPartName = keyof typeof parts;

/** Names of all parts, each with a line about it. */
export function manifestParts(): readonly { readonly name: ManifestPartName; readonly summary: string }[] {
  return (Object.keys(parts) as ManifestPartName[]).map((name) => ({ name, summary: parts[name].summary }));
}

/** Lists what a cluster needs so that a part of solpack runs there, in the order in which to apply it. */
export function manifestsOf(part: ManifestPartName, settings: ManifestSettings): readonly KubernetesObject[] {
  return parts[part].objects(settings);
}
