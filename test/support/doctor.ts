import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { doctor } from '../../lib/flows/doctor/index.ts';
import type { DoctorReport, DoctorRequest, HealthCode, HealthFinding } from '../../lib/flows/doctor/request.ts';
import type { Flow } from '../../lib/kernel/events/flow.ts';
import { kubernetesTarget } from '../../lib/parts/clusters/index.ts';
import { certificatesFrom } from '../../lib/parts/registries/index.ts';
import { writeFiles } from './cli.ts';
import { testFlow } from './flow.ts';

/**
 * Looks at a machine whose files are below `folder` and whose profile has this text, if any, and that has no programs;
 * for an install, unless `more` says otherwise.
 */
export async function examined(
  folder: string,
  profile: string | undefined,
  more: Partial<DoctorRequest> = {},
  flow: Flow = { ...testFlow(), host: { path: [], temp: folder } },
): Promise<DoctorReport> {
  const path = join(folder, 'etc/profile.toml');
  if (profile === undefined) rmSync(path, { force: true });
  else writeFiles(folder, { 'etc/profile.toml': profile });
  const request: DoctorRequest = {
    purposes: ['install'],
    profile: { path, named: false },
    configuration: join(folder, 'etc/solutions.yaml'),
    folder,
    trustState: join(folder, 'state/trust'),
    clusterAt: (named, base) => {
      const kubeconfig = resolve(base, named);
      return { kubeconfig, open: async () => kubernetesTarget({ kubeconfig, forceConflicts: false }) };
    },
    registriesBy: async ({ certsDir }) =>
      certsDir === undefined ? {} : { certificates: certificatesFrom([certsDir]) },
    environment: { PATH: process.env['PATH'] ?? '' },
    clock: Math.floor(Date.now() / 1000),
    root: join(folder, 'root'),
    ...more,
  };
  return doctor(request, flow);
}

/** The same, and returns what one check has found, without its code. */
export async function foundBy(
  code: HealthCode,
  ...given: Parameters<typeof examined>
): Promise<readonly HealthFinding[]> {
  const { checks } = await examined(...given);
  return checks.filter((one) => one.code === code).map(({ code: _, ...finding }) => finding);
}
