import { hiddenSecret } from '../../../formats/manifest/hidden-secret.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import type { ClusterTarget, Generation } from '../../parts/clusters/index.ts';
import { configurationNamed, contentOf, generationNumbered } from '../../shared/solutions/clusters/index.ts';
import type { HistoryRequest } from './request.ts';

/** Which generation is asked about. */
export interface GenerationRequest extends HistoryRequest {
  /** Its number; undefined is the newest one. */
  readonly generation?: number | undefined;
}

/** The objects of a generation are asked for. */
export interface GenerationObjectsRequest extends GenerationRequest {
  /** Whether Secrets have their values, and not only the names of these. Left out: they do not. */
  readonly raw?: boolean;
}

/** What a generation applied. */
export interface GenerationObjects {
  readonly configuration: string;
  readonly generation: number;
  readonly solutions: readonly {
    readonly name: string;
    readonly version: string;
    readonly components: readonly { readonly name: string; readonly objects: readonly KubernetesObject[] }[];
  }[];
}

/**
 * Reads the objects that a generation applied, in the order of application, as they were sent to the API server.
 * Changes nothing. Throws `generation-absent`, `usage-invalid`, and what the cluster refuses.
 */
export function generationObjects(request: GenerationObjectsRequest, flow: Flow): Promise<GenerationObjects> {
  return askedAbout(request, flow, async (configuration, { number }) => {
    const content = await contentOf(configuration, number, request.cluster, flow);
    const shown = request.raw === true ? (object: KubernetesObject) => object : hiddenSecret;
    const solutions = content.map(({ name, version, components }) => ({
      name,
      version,
      components: components.map(({ name: component, objects }) => ({ name: component, objects: objects.map(shown) })),
    }));
    return { configuration, generation: number, solutions };
  });
}

/** Finds the generation that a request is about, and asks the cluster about it. */
export function askedAbout<T>(
  { cluster, configuration: wanted, generation }: GenerationRequest & { readonly cluster: ClusterTarget },
  flow: Flow,
  ask: (configuration: string, generation: Generation) => Promise<T>,
): Promise<T> {
  return lend(cluster, async () => {
    const configuration = await configurationNamed(cluster, wanted, 'solpack history', flow);
    return ask(
      configuration,
      generationNumbered(configuration, await cluster.generations(configuration, flow), generation),
    );
  });
}
