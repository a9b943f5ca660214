import { sizePair } from '../size-words.ts';
import { type FieldPlace, fieldOf, isFields, type ReportProblem } from './problems.ts';

/** Bytes that all annotations of an object may have together. */
const ANNOTATIONS = 256 * 1024;

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** Returns whether a text is a label of DNS (RFC 1123 section 2.1). */
export function isDnsLabel(text: string): boolean {
  return label.test(text);
}

/** Returns whether a text is a domain name of such labels, of 253 characters or fewer. */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part));
}

/** Kinds whose names are labels of DNS, and kinds whose names only have to fit into a path. */
const labelled = ['Namespace', 'Service'];
const freelyNamed = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

/** Kinds of Kubernetes itself whose names are domain names. */
const named = [
  ...['ConfigMap', 'ControllerRevision', 'CronJob', 'CSIDriver', 'DaemonSet', 'Deployment', 'Endpoints', 'Ingress'],
  ...['HorizontalPodAutoscaler', 'IngressClass', 'Job', 'LimitRange', 'NetworkPolicy', 'PersistentVolume'],
  ...['PersistentVolumeClaim', 'Pod', 'PodDisruptionBudget', 'PriorityClass', 'ReplicaSet', 'ReplicationController'],
  ...['ResourceQuota', 'RuntimeClass', 'Secret', 'ServiceAccount', 'StatefulSet', 'StorageClass'],
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
];

/** Characters that are left for the name of a CronJob, because those of its Jobs are longer. */
const CRON_JOB = 52;

/**
 * Reports names, labels and annotations that no API server takes (Kubernetes, "Object Names and IDs", "Labels and
 * Selectors"). `isCustom` says that the kind is a custom one.
 */
export function checkMetadata(kind: string, metadata: unknown, isCustom: boolean, report: ReportProblem): void {
  const name = fieldOf(metadata, 'name');
  if (typeof name === 'string') {
    const at = ['metadata', 'name'];
    if (labelled.includes(kind) && !isCustom) {
      if (!isDnsLabel(name)) report(at, `${JSON.stringify(name)} is not a valid name for a ${kind}: ${labelRule}`);
    } else if (isCustom || named.includes(kind)) {
      if (!isSubdomain(name)) report(at, `${JSON.stringify(name)} is not a valid name for a ${kind}: ${subdomainRule}`);
      else if (kind === 'CronJob' && !isCustom && name.length > CRON_JOB) {
        report(at, `the name of a CronJob has ${CRON_JOB} characters at most`);
      }
    } else if (freelyNamed.includes(kind) && /^\.{1,2}$|[/%]/.test(name)) {
      report(at, `${JSON.stringify(name)} does not fit into a path`);
    }
  }
  const namespace = fieldOf(metadata, 'namespace');
  if (typeof namespace === 'string' && namespace !== '' && !isDnsLabel(namespace)) {
    report(['metadata', 'namespace'], `${JSON.stringify(namespace)} is not a namespace: ${labelRule}`);
  }
  checkMarks(metadata, ['metadata'], report);
}

const labelRule =
  'it takes lower-case letters, digits and "-", a letter or digit first and last, 63 characters at most';
const subdomainRule =
  'it takes lower-case letters, digits, "-" and ".", a letter or digit around each ".", 253 at most';

/** Reports labels and annotations, of an object or of a template, that no API server takes. */
export function checkMarks(metadata: unknown, path: FieldPlace, report: ReportProblem): void {
  checkLabels(fieldOf(metadata, 'labels'), [...path, 'labels'], report);
  const annotations = fieldOf(metadata, 'annotations');
  if (!isFields(annotations)) return;
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    const at = [...path, 'annotations', key];
    // Kubernetes takes upper-case letters here, unlike in labels, even before the slash.
    if (!isQualified(key.toLowerCase())) report(at, `is not a key of an annotation: ${keyRule}`);
    size += key.length + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  if (size > ANNOTATIONS) {
    const [most, own] = sizePair(ANNOTATIONS, size);
    report([...path, 'annotations'], `annotations have ${most} at most, not ${own}`);
  }
}

/** Reports labels, or what selects them, that no API server takes. */
export function checkLabels(labels: unknown, path: FieldPlace, report: ReportProblem): void {
  if (!isFields(labels)) return;
  for (const [key, value] of Object.entries(labels)) {
    if (!isQualified(key)) report([...path, key], `is not a key of a label: ${keyRule}`);
    if (typeof value === 'string' && !isLabelValue(value)) {
      report([...path, key], `${JSON.stringify(value)} is not a value of a label: ${valueRule}`);
    }
  }
}

const valueRule = 'it takes letters, digits, "-", "_" and ".", a letter or digit first and last, 63 characters at most';
const keyRule = 'it is a name of 63 characters at most, with a domain name and "/" before it, or without';
const word = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

function isQualified(key: string): boolean {
  const parts = key.split('/');
  const name = parts.pop()!;
  return word.test(name) && (parts.length === 0 || (parts.length === 1 && isSubdomain(parts[0]!)));
}

function isLabelValue(value: string): boolean {
  return value === '' || word.test(value);
}
