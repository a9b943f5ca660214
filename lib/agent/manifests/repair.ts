import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { podSecurity, podSpec } from './pod.ts';
import { anySolution, HOME_NAMESPACE, homeRules, lookingRules, solutionRules } from './rights.ts';
import type { ManifestPart, ManifestSettings } from './settings.ts';
import { account, binding, labelsOf, namespaces, role } from './shared.ts';

const NAME = 'solpack-repair';

/** A repair again and again: a CronJob, of which no two runs are at work at once. */
export const repairPart: ManifestPart = {
  summary: 'a CronJob that puts back what has drifted',
  objects: (settings) => {
    const { namespace, objects } = settings;
    const none = { ...settings, archives: undefined, state: undefined };
    // It gives nobody rights that the Solutions did not: but what it puts back may be roles.
    const ofSolutions = objects === undefined ? anySolution : solutionRules(objects);
    return [
      ...namespaces(namespace, podSecurity(none)),
      account(NAME, namespace),
      role(NAME, undefined, [...lookingRules, ...ofSolutions]),
      binding(NAME, undefined, { namespace }),
      role(NAME, HOME_NAMESPACE, homeRules),
      binding(NAME, HOME_NAMESPACE, { namespace }),
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
