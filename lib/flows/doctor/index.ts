import { dirname } from 'node:path';
import { codeOf, type Flow, reasonOf, SolpackError } from '../../kernel/events/index.ts';
import { type Profile, readProfile } from '../profile/index.ts';
import { lookAtMachine } from '../setup/index.ts';
import { lookAtArchives } from './archives.ts';
import { type DoctorSurroundings, failing, type HealthCheck } from './check.ts';
import { healthChecks } from './checks/index.ts';
import type { LookedArchives } from './looked.ts';
import { purposesOf } from './purposes.ts';
import type { CheckedHealth, DoctorReport, DoctorRequest, HealthFinding } from './request.ts';
import { settingsOf } from './settings.ts';

export type {
  /** A finding, with the check that found it. */
  CheckedHealth,
  /** A cluster to examine. */
  DoctorCluster,
  /** The purpose of a machine: it packs archives, serves their images, or installs them. */
  DoctorPurpose,
  /** What was examined, and the findings. */
  DoctorReport,
  /** What to examine. */
  DoctorRequest,
  /** The subject of a finding: a program has the same code, whatever its number of findings. */
  HealthCode,
  /** A finding about one thing. */
  HealthFinding,
  /** The result of a check. */
  HealthState,
} from './request.ts';

/**
 * Checks what a machine needs for its purposes. It reads, asks servers, and changes nothing; it waits for nobody longer
 * than some seconds. Every problem is a finding; it throws only the reason of the flow's signal, and unforeseen errors.
 */
export async function doctor(request: DoctorRequest, flow: Flow): Promise<DoctorReport> {
  const surroundings = await lookAround(request, flow);
  const wanted = healthChecks.filter(({ purposes }) => purposes.some((one) => surroundings.purposes.has(one)));
  const found = await Promise.all(wanted.map((check) => foundBy(check, surroundings, flow)));
  flow.signal.throwIfAborted();
  return { purposes: [...surroundings.purposes], checks: found.flat() };
}

async function lookAround(request: DoctorRequest, flow: Flow): Promise<DoctorSurroundings> {
  const machine = await lookAtMachine(flow, request.root);
  const { profile, refusal } = await profileOf(request);
  const said = settingsOf(profile);
  // A profile that is refused was made for an install, or for packing: it is unknown, and an install needs more.
  const implied = refusal === undefined ? purposesOf(said, machine) : (['install'] as const);
  const configuration = said.configuration ?? request.configuration;
  let looked: Promise<LookedArchives | undefined> | undefined;
  return {
    ...{ request, machine, profile, refusal, said, configuration },
    purposes: new Set(request.purposes?.length ? request.purposes : implied),
    archives: () => {
      looked ??= lookAtArchives(configuration, flow);
      return looked;
    },
    cluster: () => {
      const { kubeconfig: own } = machine.kubernetes;
      if (profile === undefined || said.kubeconfig === undefined) {
        return own === undefined ? undefined : request.clusterAt(own, '/');
      }
      return request.clusterAt(said.kubeconfig, dirname(profile.path));
    },
  };
}

async function profileOf({ profile: asked }: DoctorRequest): Promise<{
  readonly profile: Profile | undefined;
  readonly refusal: SolpackError | undefined;
}> {
  if (asked === undefined) return { profile: undefined, refusal: undefined };
  try {
    return { profile: await readProfile(asked.path), refusal: undefined };
  } catch (error) {
    if (error instanceof SolpackError) return { profile: undefined, refusal: error };
    throw error;
  }
}

async function foundBy(check: HealthCheck, surroundings: DoctorSurroundings, flow: Flow): Promise<CheckedHealth[]> {
  const { code } = check;
  const found = await check.look(surroundings, flow).catch((error: unknown): HealthFinding[] => {
    flow.signal.throwIfAborted();
    if (error instanceof SolpackError) return [failing(error, error.subject)];
    if (codeOf(error) === undefined) throw error;
    return [{ state: 'unknown', subject: code, message: `cannot be checked: ${reasonOf(error)}` }];
  });
  return found.map((one) => ({ code, ...one }));
}
