/** The checks of `doctor`. */

import type { HealthCheck } from '../check.ts';
import { certificateCheck } from './certificate.ts';
import { clockCheck } from './clock.ts';
import { clusterCheck } from './cluster.ts';
import { configurationCheck } from './configuration.ts';
import { roomCheck } from './disk.ts';
import { imagesCheck } from './images.ts';
import { iso9660Check } from './iso9660.ts';
import { portCheck } from './port.ts';
import { profileCheck } from './profile.ts';
import { programCheck } from './program.ts';
import { registryCheck } from './registry.ts';
import { rightsCheck } from './rights.ts';
import { systemdCheck } from './systemd.ts';
import { trustCheck } from './trust.ts';

/** Everything that is looked at, in the order in which it is reported. */
export const healthChecks: readonly HealthCheck[] = [
  profileCheck,
  trustCheck,
  configurationCheck,
  imagesCheck,
  programCheck,
  rightsCheck,
  roomCheck,
  clockCheck,
  iso9660Check,
  systemdCheck,
  portCheck,
  registryCheck,
  clusterCheck,
  certificateCheck,
];
