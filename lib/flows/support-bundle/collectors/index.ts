/** What a support bundle collects, each kind by a collector. */

import type { Collector } from '../collector.ts';
import { archives } from './archives.ts';
import { clusterParts } from './cluster.ts';
import { configuration } from './configuration.ts';
import { machine } from './machine.ts';
import { mirrors } from './mirrors.ts';
import { plan } from './plan.ts';
import { remembered } from './remembered.ts';
import { runLogs } from './runs.ts';
import { trustMemory } from './trust.ts';

/** What a bundle is made of, in its order. */
export const collectors: readonly Collector[] = [
  machine,
  configuration,
  archives,
  trustMemory,
  mirrors,
  runLogs,
  remembered,
  clusterParts,
  plan,
];
