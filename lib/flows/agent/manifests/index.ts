import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { agentPart } from './agent.ts';
import { loaderPart } from './loader.ts';
import { repairPart } from './repair.ts';
import type { ManifestPart, ManifestSettings } from './settings.ts';

/** Every part of solpack that runs in a cluster. To add one, write a `ManifestPart` and name it here. */
const parts = { agent: agentPart, loader: loaderPart, repair: repairPart } as const satisfies Record<
  string,
  ManifestPart
>;

/** A part of solpack that runs in a cluster. */
export type ManifestPartName = keyof typeof parts;

/** Names every part, with a line about it. */
export function manifestParts(): readonly { readonly name: ManifestPartName; readonly summary: string }[] {
  return (Object.keys(parts) as ManifestPartName[]).map((name) => ({ name, summary: parts[name].summary }));
}

/** Lists what is needed in a cluster for a part of solpack to run there, in the order in which it is to be applied. */
export function manifestsOf(part: ManifestPartName, settings: ManifestSettings): readonly KubernetesObject[] {
  return parts[part].objects(settings);
}
