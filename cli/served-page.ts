import { mirrorTexts } from '../lib/command.ts';
import { type Runtime, type ServedPage, type ServedState, SolpackError, status } from '../lib/index.ts';
import type { CommandSession } from './command-session.ts';
import { clusterOf } from './generations.ts';
import type { Io } from './io.ts';
import { policy } from './view/html/page.ts';
import { type ShownClient, type ShownCluster, servePage } from './view/html/serve-page.ts';

/** Of how many registries the page has mirror configurations. */
const REGISTRIES = 20;

/** For how many milliseconds an answer of the cluster is shown. */
const FRESH = 15_000;

/** Makes the page that `serve` shows a browser; with a kubeconfig, it shows the state of Solutions in that cluster. */
export function servedPage(session: CommandSession, kubeconfig: string | undefined): ServedPage {
  const cluster = kubeconfig === undefined ? undefined : clusterWatch(session, kubeconfig);
  return {
    policy: policy(),
    make: async (served, origin) =>
      servePage({ served, clients: await clientsOf(served, origin), cluster: cluster?.(served.configuration?.name) }),
  };
}

async function clientsOf({ archives, registries, tls }: ServedState, origin: string): Promise<ShownClient[]> {
  const host = new URL(origin).host;
  const references = registries.slice(0, REGISTRIES).map((registry) => `${registry}/any:any`);
  const image = archives.flatMap(({ images }) => images).at(0);
  const left = registries.length - references.length;
  const more = left > 0 ? [`${left} more registries are served: "solpack serve --print-config" has all`] : [];
  const mirror = async (title: string, runtime: Runtime): Promise<ShownClient> => {
    const { lines, notices, needsNothing } = await mirrorTexts(runtime, references, origin);
    return { title, lines: needsNothing ? [] : lines, notices: [...notices, ...more] };
  };
  const own = (title: string, lines: readonly string[]): ShownClient => ({ title, lines, notices: [] });
  const plain = tls ? '' : ' --plain-http';
  const joining = [`solpack join-mirror --served-at ${origin}${tls ? ' --ca-file ca.pem' : ''}`];
  const pulled = image === undefined ? 'REGISTRY/NAME:TAG' : image.replace(/^([^/]+):/, '$1_');
  const unverified = tls ? '' : ' --src-tls-verify=false';
  const solution = archives.at(0);
  const tag = solution && `${solution.name}:${solution.version.replace('+', '_')}`;
  return [
    own('A node, by solpack', joining),
    await mirror('containerd', 'containerd'),
    await mirror('CRI-O and podman', 'podman'),
    await mirror('Docker', 'docker'),
    await mirror('k3s and RKE2', 'k3s'),
    own('skopeo', [`skopeo copy${unverified} docker://${host}/${pulled} oci:image`]),
    own('A whole Solution', [
      `solpack pull ${host}/solutions/${tag ?? 'NAME:VERSION'} -o ${solution?.name ?? 'NAME'}.iso${plain}`,
    ]),
  ];
}

/**
 * Asks a cluster when somebody looks: once at a time, never more often than every 15 seconds, and nobody waits for it.
 */
function clusterWatch(
  { io, flow }: CommandSession,
  kubeconfig: string,
): (configuration: string | undefined) => ShownCluster {
  let shown: ShownCluster = { at: undefined, failure: undefined, solutions: [] };
  let next = 0;
  let lastMessage: string | undefined;
  const ask = async (configuration: string | undefined): Promise<void> => {
    try {
      shown = await clusterState(io, kubeconfig, configuration, { ...flow, onEvent: () => undefined });
      lastMessage = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // What went wrong stands on stderr: whoever may pull need not know the address of the API server.
      shown = {
        at: undefined,
        failure: error instanceof SolpackError ? error.code : 'it cannot be asked',
        solutions: [],
      };
      if (lastMessage !== message && !flow.signal.aborted)
        flow.onEvent({ type: 'notice', subject: kubeconfig, message });
      lastMessage = message;
    }
    next = performance.now() + FRESH;
  };
  return (configuration) => {
    if (performance.now() >= next) {
      next = Number.POSITIVE_INFINITY;
      void ask(configuration);
    }
    return shown;
  };
}

async function clusterState(
  io: Io,
  kubeconfig: string,
  configuration: string | undefined,
  flow: CommandSession['flow'],
): Promise<ShownCluster> {
  const cluster = await clusterOf(io, { kubeconfig });
  const reports = await status({ cluster }, flow).catch((error) => {
    // Nothing is installed there yet.
    if (error instanceof SolpackError && error.code === 'generation-absent') return [];
    throw error;
  });
  const wanted = reports.filter((report) => configuration === undefined || report.configuration === configuration);
  return {
    at: `${new Date().toISOString().slice(0, 19)}Z`,
    failure: undefined,
    solutions: wanted.flatMap((report) =>
      report.solutions.map(({ name, version, state, objects }) => ({
        configuration: report.configuration,
        ...{ name, version, state },
        ready: objects.filter((object) => object.state === 'ready').length,
        objects: objects.length,
      })),
    ),
  };
}
