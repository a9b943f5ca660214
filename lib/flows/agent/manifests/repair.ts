import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { podSecurity, podSpec } from './pod.ts';
import { partRules } from './rights.ts';
import type { ManifestPart, ManifestSettings } from './settings.ts';
import { account, labelsOf, namespaces, roles } from './shared.ts';

const NAME = 'solpack-repair';

/** A repair again and again: a CronJob, of which no two runs are at work at once. */
export const repairPart: ManifestPart = {
  summary: 'a CronJob that reverts drift',
  objects: (settings) => {
    const { namespace, objects, probes } = settings;
    const none = { ...settings, archives: undefined, state: undefined };
    // It gives nobody rights that the Solutions did not: but what it puts back may be roles.
    const rules = partRules(objects, { watches: false, installs: false, heals: true }, probes);
    return [
      ...namespaces(namespace, podSecurity(none), rules),
      account(NAME, namespace),
      ...roles(NAME, { name: NAME, namespace }, rules),
      cronJob(none),
    ];
  },
};

function cronJob(settings: ManifestSettings): KubernetesObject {
  const { namespace, schedule } = settings;
  const labels = labelsOf(NAME);
  const pod = { ...podSpec(NAME, settings, { name: 'repair' }), restartPolicy: 'Never', enableServiceLinks: false };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: NAME, namespace, labels },
    spec: {
      schedule,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 300,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      // The next one comes anyway.
      jobTemplate: { spec: { backoffLimit: 0, template: { metadata: { labels }, spec: pod } } },
    },
  };
}
