import { kubernetesTarget } from '../lib/command.ts';
import type { DoctorCluster, DoctorPurpose, DoctorRequest } from '../lib/index.ts';
import type { CommandSession } from './command-session.ts';
import { xdgFolder } from './home.ts';
import { clusterAccess, kubeconfigFrom } from './in-cluster.ts';
import { type Io, ownEnvironment } from './io.ts';
import { configurationHere, profilePath } from './profile.ts';
import { registryOptions } from './registry.ts';
import { trustState } from './trust.ts';

/** Says what `solpack doctor` looks at: what other commands would go by that get no flags. */
export async function doctorRequest(
  { io, flow }: CommandSession,
  purpose: DoctorPurpose | undefined,
): Promise<DoctorRequest> {
  const { path, named } = await profilePath(io);
  return {
    ...(purpose === undefined ? {} : { purposes: [purpose] }),
    ...(path === undefined ? {} : { profile: { path, named } }),
    configuration: await configurationHere(io),
    folder: io.cwd,
    trustState: remembersIn(io),
    clusterAt: (kubeconfig, folder) => clusterAt(io, kubeconfigFrom(folder, kubeconfig)),
    registriesBy: ({ authfile, certsDir }) =>
      registryOptions(
        io,
        { ...(authfile === undefined ? {} : { authfile }), ...(certsDir === undefined ? {} : { certsDir }) },
        flow,
      ),
    environment: ownEnvironment(io),
    clock: Math.floor(Date.now() / 1000),
  };
}

/** The folder in which installs remember; undefined for a user who has none, whose installs have to name one. */
function remembersIn(io: Io): string | undefined {
  const isKnown = process.getuid?.() === 0 || xdgFolder(io, 'XDG_STATE_HOME') !== undefined;
  return isKnown ? trustState(io, {}) : undefined;
}

function clusterAt(io: Io, named: string): DoctorCluster {
  const access = clusterAccess(io, named);
  return {
    kubeconfig: typeof access === 'string' ? access : undefined,
    open: () => kubernetesTarget({ kubeconfig: access, env: ownEnvironment(io), forceConflicts: false }),
  };
}
