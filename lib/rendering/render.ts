import { join } from 'node:path';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { mapImages } from '../../formats/manifest/images.ts';
import { withNamespace } from '../../formats/manifest/namespace.ts';
import type { ComponentMetadata } from '../../formats/solution/metadata.ts';
import type { RenderedComponent, RenderedSolution } from '../clusters/index.ts';
import { probe } from '../components/index.ts';
import { type Flow, lend } from '../flow.ts';
import type { ClusterFacts } from '../model.ts';
import { temporaryFolder } from '../temporary.ts';
import { finderOf, type PullName } from './image-names.ts';
import { withOwnNamespace } from './own-namespace.ts';
import type { Renderable } from './renderable.ts';
import { asComponent, renderTogether, type Unpacked } from './together.ts';
import { unpackComponents } from './unpack-components.ts';

/** How Solutions are rendered. */
export interface RenderOptions {
  /** The names by which nodes pull images. */
  readonly pullName: PullName;
  /** What the cluster is like; undefined where there is none to ask. */
  readonly cluster: ClusterFacts | undefined;
  /** What plugins are told of the node. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds that a component may take to become ready, where it does not say so itself. */
  readonly timeout: number;
}

/** An image that a component uses and that is not taken from its archive. */
export interface ForeignImage {
  readonly image: string;
  readonly component: string;
  readonly archive: string;
}

/** What archives are as objects. */
export interface Rendered {
  readonly solutions: readonly RenderedSolution[];
  /** What the archive does not hold, in the order of components, once for each of them. */
  readonly missing: readonly ForeignImage[];
  /** What is never pulled, because it is on the node already, in the same order. */
  readonly kept: readonly ForeignImage[];
}

/** A component with its objects, as the cluster is to have them. */
interface Stated {
  readonly component: ComponentMetadata;
  readonly objects: readonly KubernetesObject[];
}

/**
 * Renders all components of Solutions, in their order. What none of them can be rendered for is told before any component
 * is. Throws what the component kinds throw, and `archive-damaged`.
 */
export async function renderAll(
  renderables: readonly Renderable[],
  options: RenderOptions,
  flow: Flow,
): Promise<Rendered> {
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const all: Unpacked[] = [];
    for (const [index, solution] of renderables.entries()) {
      all.push(...(await unpackComponents(solution, join(path, String(index)), flow)));
    }
    for (const one of all) await probe(one.component.kind, asComponent(one, options), flow);
    const missing: ForeignImage[] = [];
    const kept: ForeignImage[] = [];
    const solutions: RenderedSolution[] = [];
    let { cluster } = options;
    for (const solution of renderables) {
      const own = all.filter((candidate) => candidate.solution === solution);
      const settled = await renderTogether(own, { ...options, cluster }, flow);
      ({ cluster } = settled);
      const components: Stated[] = own.map(({ component }, index) => {
        const objects = withOwnNamespace(component, settled.objects[index]!).map(({ object }) => object);
        const pulled = byDigest(solution, objects, options.pullName);
        const from = { component: component.name, archive: solution.path };
        missing.push(...pulled.missing.map((image) => ({ image, ...from })));
        kept.push(...pulled.kept.map((image) => ({ image, ...from })));
        return { component, objects: pulled.objects };
      });
      solutions.push(solutionOf(solution, components, options));
    }
    return { solutions, missing, kept };
  });
}

/** Names the images of objects as nodes pull them, and lists the images that are not taken from the archive. */
function byDigest(
  { images }: Renderable,
  objects: readonly KubernetesObject[],
  pullName: PullName,
): { readonly objects: KubernetesObject[]; readonly missing: string[]; readonly kept: string[] } {
  const find = finderOf(images);
  const missing = new Set<string>();
  const kept = new Set<string>();
  const named = mapImages(objects, (name, pulled) => {
    // What is never pulled is on the node already, under the name that its author gave it there.
    const found = pulled ? find(name) : undefined;
    if (found) return pullName(found.image.reference, found.digest);
    (pulled ? missing : kept).add(name);
    return name;
  });
  return { objects: named, missing: [...missing], kept: [...kept] };
}

function solutionOf(
  { metadata, root }: Renderable,
  components: readonly Stated[],
  { cluster, timeout }: RenderOptions,
): RenderedSolution {
  // Which kinds have a namespace may be said by a definition in another component.
  const known = components.flatMap(({ objects }) => objects);
  return {
    name: metadata.name,
    version: metadata.version,
    root,
    components: components.map(({ component, objects }): RenderedComponent => {
      const { name, namespace, after } = component;
      return {
        name,
        objects: namespace === undefined ? objects : withNamespace(objects, namespace, known, cluster?.namespaced),
        after,
        timeout: component.timeout === undefined ? timeout : component.timeout * 1000,
      };
    }),
  };
}
