import { join } from 'node:path';
import { isRecord } from '../../formats/record.ts';
import { embeddedRegistry, foreseeInstall, install } from '../../lib/flows/install/index.ts';
import type { InstallRequest } from '../../lib/flows/install/request.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import type { Flow } from '../../lib/kernel/events/flow.ts';
import { targetOver } from '../../lib/parts/clusters/kubernetes/target.ts';
import { prompt } from './cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from './cluster/index.ts';
import { testFlow } from './flow.ts';

/** How the documents of a site begin. */
export const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

/** A cluster in memory, and what installs of documents in a folder do to it. */
export class InstallSite {
  readonly memory: MemoryCluster;
  readonly #folder: string;

  /** Workloads of the names `stuck` never come up. */
  constructor(folder: string, stuck: readonly string[] = []) {
    this.#folder = folder;
    this.memory = memoryCluster({ stuck });
  }

  /** Opens the cluster. */
  target(): ReturnType<typeof targetOver> {
    return targetOver('memory', async () => this.memory.connect(), { timing: { ...prompt, lease: 30 }, force: false });
  }

  /** Installs a document, and returns the error that it ends with; undefined where it goes well. */
  async installs(
    document: string,
    work: 'run' | 'plan' | 'without a cluster' = 'run',
    asked: Partial<InstallRequest> = {},
    flow: Flow = testFlow(),
  ): Promise<SolpackError | undefined> {
    await using cluster = this.target();
    const request: InstallRequest = {
      configuration: join(this.#folder, 'solutions.yaml'),
      document: Buffer.from(`${head}${document}`),
      trust: 'skip',
      delivery: embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false }),
      hostsDir: undefined,
      cluster: work === 'without a cluster' ? undefined : cluster,
      timeout: 5_000,
      variables: {},
      allowMissingImages: false,
      test: false,
      strict: false,
      ...asked,
    };
    try {
      await (work === 'plan' ? foreseeInstall(request, flow) : install(request, flow));
      return undefined;
    } catch (error) {
      if (error instanceof SolpackError) return error;
      throw error;
    }
  }

  /** The version in `data` of the ConfigMap `web`, by namespace. */
  versions(): Record<string, unknown> {
    const maps = this.memory.objects().filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'web');
    const versionIn = (data: unknown): unknown => (isRecord(data) ? data['version'] : undefined);
    return Object.fromEntries(maps.map((map) => [map.metadata.namespace, versionIn(map['data'])]));
  }
}
