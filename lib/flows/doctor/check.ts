import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { Profile } from '../profile/index.ts';
import type { Machine } from '../setup/index.ts';
import type { LookedArchive, LookedArchives } from './looked.ts';
import type { DoctorCluster, DoctorPurpose, DoctorRequest, HealthCode, HealthFinding } from './request.ts';
import type { MachineSettings } from './settings.ts';

/** What checks work with. */
export interface DoctorSurroundings {
  readonly request: DoctorRequest;
  readonly purposes: ReadonlySet<DoctorPurpose>;
  readonly machine: Machine;
  /** Undefined where there is none, or it is refused. */
  readonly profile: Profile | undefined;
  /** Why the profile is of no use; undefined where it is, or there is none. */
  readonly refusal: SolpackError | undefined;
  readonly said: MachineSettings;
  /** The SolutionsConfiguration: that of the profile, or the usual one. */
  readonly configuration: string;
  /** The archives of the configuration; undefined where there is none. Throws what reading it throws. */
  archives(): Promise<LookedArchives | undefined>;
  /** The cluster of the profile, or else of this machine; undefined where there is none. Throws at users. */
  cluster(): DoctorCluster | undefined;
}

/**
 * Something that is looked at. It changes nothing. What it throws at users is a finding that fails, and what the system
 * refuses it is one that is unknown.
 */
export interface HealthCheck {
  readonly code: HealthCode;
  /** What the machine is there for, where this matters. */
  readonly purposes: readonly DoctorPurpose[];
  look(surroundings: DoctorSurroundings, flow: Flow): Promise<readonly HealthFinding[]>;
}

/** Makes the finding of an error about `subject`. */
export function failing({ message, hint }: SolpackError, subject: string): HealthFinding {
  return { state: 'fails', subject, message, ...(hint === undefined ? {} : { hint }) };
}

/**
 * Returns the archives of the configuration that can be opened; none where it cannot be read, which has a finding of
 * its own.
 */
export async function openedArchives({ archives }: DoctorSurroundings): Promise<readonly LookedArchive[]> {
  try {
    return (await archives())?.opened ?? [];
  } catch (error) {
    if (error instanceof SolpackError) return [];
    throw error;
  }
}
