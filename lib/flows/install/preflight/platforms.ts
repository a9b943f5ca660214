import { isTestAlone } from '../../../../formats/manifest/hooks.ts';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { referencesIn } from '../../../../formats/manifest/references.ts';
import { platformName } from '../../../../formats/oci/descriptor.ts';
import { normalPlatform, parsePlatform } from '../../../../formats/oci/platform.ts';
import { isRecord } from '../../../../formats/record.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { Archive, CatalogImage } from '../../../parts/archives/index.ts';
import type { ClusterNode, RenderedSolution } from '../../../parts/clusters/index.ts';
import { finderOf } from '../../../shared/rendering/index.ts';
import type { PreflightCheck } from './check.ts';
import { mayRunOn } from './node-choice.ts';

/** How many nodes, or objects, an error names. */
const NAMED = 5;

/** An image that a Pod runs, and the nodes that the Pod may get to and the image is not for. */
interface Misfit {
  readonly image: string;
  readonly platforms: readonly string[];
  readonly nodes: Set<ClusterNode>;
  readonly objects: Set<string>;
}

/**
 * Finds the images that lack the platform of a node on which Pods may run that use them. Nodes that are cordoned count:
 * they will take Pods again. Does nothing but tell so where nodes may not be listed.
 */
export const platformCheck: PreflightCheck = async ({ cluster, archives, rendered }, flow) => {
  const nodes = await cluster.nodes(flow);
  if (nodes === undefined) {
    const message = 'its nodes cannot be listed: it is unknown whether the images are for their platforms';
    flow.onEvent({ type: 'notice', subject: cluster.name, message });
    return [];
  }
  const misfits = new Map<string, Misfit>();
  for (const [index, archive] of archives.entries()) findMisfits(archive, rendered[index]!, nodes, misfits);
  return [...misfits.values()].map(faultOf);
};

function findMisfits(
  { catalog: { images } }: Archive,
  { components }: RenderedSolution,
  nodes: readonly ClusterNode[],
  misfits: Map<string, Misfit>,
): void {
  if (nodes.length === 0) return;
  const find = finderOf(images);
  for (const object of components.flatMap(({ objects }) => objects)) {
    if (isTestAlone(object)) continue;
    for (const { reference, path, certainty, pulled } of referencesIn(object, (name) => find(name) !== undefined)) {
      const found = certainty === 'certain' && pulled ? find(reference) : undefined;
      const image = found && images.find((one) => one === found.image);
      if (found === undefined || image === undefined) continue;
      const platforms = platformsOf(image, found.digest);
      const spec = specAt(object, path);
      const foreign = nodes.filter((node) => !platforms.includes(platformOf(node)) && mayRunOn(spec, node));
      if (platforms.length === 0 || foreign.length === 0) continue;
      const known = misfits.get(reference) ?? { image: reference, platforms, nodes: new Set(), objects: new Set() };
      for (const node of foreign) known.nodes.add(node);
      known.objects.add(wordsFor(object));
      misfits.set(reference, known);
    }
  }
}

/** Variants are left out: nodes do not tell theirs. Empty where nothing is known. */
function platformsOf({ descriptor, closure, platforms }: CatalogImage, digest: string): string[] {
  const indexes = closure.manifests.flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []));
  const entries = digest === descriptor.digest ? [] : indexes.filter((one) => one.digest === digest);
  const own = entries.flatMap(({ platform }) => (platform ? [platformName(platform)] : []));
  const names = (own.length === 0 ? platforms : own).map((name) => normalPlatform(parsePlatform(name)));
  return [...new Set(names.map(({ os, architecture }) => `${os}/${architecture}`))];
}

function platformOf({ os, architecture }: ClusterNode): string {
  return `${os}/${architecture}`;
}

/** The spec of the Pod that has a field: what has the list of its containers or volumes. */
function specAt(object: KubernetesObject, path: readonly (string | number)[]): unknown {
  const at = path.findLastIndex((one) =>
    /^(?:containers|initContainers|ephemeralContainers|volumes)$/.test(String(one)),
  );
  return path.slice(0, Math.max(0, at)).reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)] as unknown;
    return isRecord(value) ? value[name] : undefined;
  }, object);
}

function wordsFor({ kind, metadata: { name, namespace } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function faultOf({ image, platforms, nodes, objects }: Misfit): SolpackError {
  const lacking = [...new Set([...nodes].map(platformOf))].sort().join(', ');
  const names = listed([...nodes].map(({ name }) => name));
  const message = `has no manifest for ${lacking}, as which ${nodes.size === 1 ? 'a node runs' : 'nodes run'} (${names}) that may get ${listed([...objects])}; it has ${platforms.join(', ')}`;
  const hint =
    'pack the image with that platform, or keep its Pods from these nodes by a nodeSelector for kubernetes.io/arch';
  return new SolpackError('platform-missing', image, message, { hint });
}

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}
