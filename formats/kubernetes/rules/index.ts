import { checkMarks } from '../metadata.ts';
import { type CheckedObject, type FieldPlace, fieldOf, type ReportProblem } from '../problems.ts';
import { checkRole, checkRoleBinding } from './access.ts';
import { checkData } from './data.ts';
import { checkDefinition } from './definitions.ts';
import { checkIngress } from './ingresses.ts';
import { checkPod, type PodUse } from './pods.ts';
import { checkSelector } from './selectors.ts';
import { checkService } from './services.ts';

type Rule = (object: CheckedObject, report: ReportProblem) => void;

const always: PodUse = { restart: ['Always'] };
const once: PodUse = { restart: ['OnFailure', 'Never'] };

/** Checks a workload that has a selector, and a template for its Pods. */
function workload(use: PodUse): Rule {
  return (object, report) => {
    checkSelector(fieldOf(object, 'spec'), ['spec'], report);
    checkTemplate(fieldOf(fieldOf(object, 'spec'), 'template'), ['spec', 'template'], use, report);
  };
}

function checkTemplate(template: unknown, path: FieldPlace, use: PodUse, report: ReportProblem): void {
  checkMarks(fieldOf(template, 'metadata'), [...path, 'metadata'], report);
  checkPod(fieldOf(template, 'spec'), [...path, 'spec'], use, report);
}

/** What every API server enforces beyond the shape of a kind, by group and kind. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    '/Pod',
    (object, report) =>
      checkPod(fieldOf(object, 'spec'), ['spec'], { restart: ['Always', 'OnFailure', 'Never'] }, report),
  ],
  ['/Service', checkService],
  ['/ConfigMap', checkData],
  ['/Secret', checkData],
  ['apps/DaemonSet', workload(always)],
  ['apps/Deployment', workload(always)],
  ['apps/ReplicaSet', workload(always)],
  ['apps/StatefulSet', workload({ ...always, hasOtherVolumes: true })],
  [
    'batch/Job',
    (object, report) => checkTemplate(fieldOf(fieldOf(object, 'spec'), 'template'), ['spec', 'template'], once, report),
  ],
  [
    'batch/CronJob',
    (object, report) => {
      const spec = fieldOf(fieldOf(fieldOf(object, 'spec'), 'jobTemplate'), 'spec');
      checkTemplate(fieldOf(spec, 'template'), ['spec', 'jobTemplate', 'spec', 'template'], once, report);
    },
  ],
  ['networking.k8s.io/Ingress', checkIngress],
  ['rbac.authorization.k8s.io/Role', checkRole],
  ['rbac.authorization.k8s.io/RoleBinding', checkRoleBinding],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', checkRoleBinding],
  ['apiextensions.k8s.io/CustomResourceDefinition', checkDefinition],
]);

/** Reports what every API server refuses in an object of this kind although its shape is right. */
export function checkRules(object: CheckedObject, report: ReportProblem): void {
  const slash = object.apiVersion.indexOf('/');
  rules.get(`${slash < 0 ? '' : object.apiVersion.slice(0, slash)}/${object.kind}`)?.(object, report);
}
