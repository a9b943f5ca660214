import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { podSpec } from './pod.ts';
import { joinedRules, partRules } from './rights.ts';
import { LOADER, type ManifestPart, type ManifestSettings, SETTINGS, VARIABLE_PREFIX } from './settings.ts';
import { account, labelsOf, namespaces, roles } from './shared.ts';

const NAME = LOADER;

/** Exit codes that another try does not change: findings, bad input, no trust, a bug. */
const FINAL = [1, 2, 3, 70];

/**
 * How often a Pod is tried again that ended otherwise: a registry, the cluster or a disk may be better later, or it was
 * killed.
 */
const RETRIES = 6;

/** An install that runs once, before anything else: a Job that says in a ConfigMap how far it has come. */
export const loaderPart: ManifestPart = {
  summary: 'a Job that installs once, before any other workload, and writes its progress into a ConfigMap',
  objects: (settings) => {
    const { namespace, objects, probes } = settings;
    const reportRules = [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: [NAME], verbs: ['get', 'patch'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    ];
    const deeds = { watches: false, installs: true, heals: false };
    const rules = joinedRules(partRules(objects, deeds, probes), new Map([[namespace, reportRules]]));
    return [
      ...namespaces(namespace, 'privileged', rules),
      account(NAME, namespace),
      ...roles(NAME, { name: NAME, namespace }, rules),
      // It is there before the Job is, so that nobody needs the right to make any.
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME, namespace, labels: labelsOf(NAME) } },
      job(settings),
    ];
  },
};

/** The name has a digest of all that the Job is: a Job cannot be changed once it is there. */
function job(settings: ManifestSettings): KubernetesObject {
  const { namespace } = settings;
  const spec = jobSpec(settings);
  const digest = createHash('sha256').update(JSON.stringify(spec)).digest('hex');
  const name = `${NAME}-${digest.slice(0, 8)}`;
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace, labels: labelsOf(NAME) }, spec };
}

function jobSpec(settings: ManifestSettings): object {
  return {
    backoffLimit: RETRIES,
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        // A node that goes away, or has no room, is no failure of the install.
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'FailJob', onExitCodes: { containerName: 'loader', operator: 'In', values: FINAL } },
      ],
    },
    template: { metadata: podMetadata(settings), spec: loaderPod(settings) },
  };
}

function podMetadata({ parameters }: ManifestSettings): object {
  const annotations = { 'solpack.io/parameters': parameters };
  return { labels: labelsOf(NAME), ...(parameters === undefined ? {} : { annotations }) };
}

function loaderPod(settings: ManifestSettings): object {
  const { namespace, args, server } = settings;
  const place = `${namespace}/${NAME}`;
  const reportRules = ['--progress-to', place, '--progress-as', '$(POD_NAME)'];
  const env = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'TMPDIR', value: '/tmp' },
    // Where nothing leads to the address of the Service yet.
    ...(server === undefined
      ? []
      : [
          { name: 'KUBERNETES_SERVICE_HOST', value: server.host },
          { name: 'KUBERNETES_SERVICE_PORT', value: String(server.port) },
        ]),
  ];
  const pod = podSpec(NAME, settings, {
    name: 'loader',
    args: [...args, ...reportRules],
    env,
    envFrom: [
      // Whoever may write there must not set what the process itself goes by, as NODE_OPTIONS, PATH or a proxy.
      { prefix: VARIABLE_PREFIX, configMapRef: { name: 'solpack-variables', optional: true } },
      { prefix: VARIABLE_PREFIX, secretRef: { name: 'solpack-variables', optional: true } },
    ],
  });
  const [loader] = pod['containers'] as [Record<string, unknown>];
  const { envFrom: _, volumeMounts: __, ...alike } = loader;
  const settle = {
    ...alike,
    name: 'settle',
    args: ['settle', place, '--pod', '$(POD_NAME)', '--quiet'],
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
    // It begins before the install, and ends after it, however that ends.
    restartPolicy: 'Always',
  };
  return {
    ...pod,
    volumes: (pod['volumes'] as { readonly name: string }[]).map(volumeOfLoader),
    initContainers: [settle],
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 60,
    // Before there is a network of Pods, on whichever node there is, and before others get its room.
    hostNetwork: true,
    dnsPolicy: 'Default',
    priorityClassName: 'system-cluster-critical',
    tolerations: [{ operator: 'Exists' }],
    enableServiceLinks: false,
  };
}

/**
 * What a loader reads has to be there before it begins; whether a folder of the node is, is for the install to tell.
 */
function volumeOfLoader(volume: { readonly name: string }): object {
  if (volume.name === 'settings') {
    const named = { name: SETTINGS };
    return { ...volume, projected: { sources: [{ configMap: named }, { secret: { ...named, optional: true } }] } };
  }
  if (!('hostPath' in volume)) return volume;
  const { path } = volume.hostPath as { readonly path: string };
  return { ...volume, hostPath: { path } };
}
