import type { Bytes } from '../../../formats/bytes.ts';
import { drawnPlaces, withEarlierDraws } from '../../../formats/manifest/drawn.ts';
import { z } from '../../../formats/schema.ts';
import { inOrder, warningsOf } from '../../../lib/parts/clusters/kubernetes/health/diagnose/events.ts';
import { explain } from '../../../lib/parts/clusters/kubernetes/health/diagnose/explain.ts';
import { readinessOf } from '../../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import { contentIn, headOf } from '../../../lib/parts/clusters/kubernetes/memory/records/secrets.ts';
import { kubeadmSettings } from '../../../lib/parts/clusters/kubernetes/observe/settings/kubeadm.ts';
import {
  ApiError,
  type LiveObject,
  nameOf,
  type ObjectChange,
  type Resource,
  wordsOf,
} from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { apiGroupsOf, resourcesOf } from '../../../lib/parts/clusters/kubernetes/server/client/discovery-documents.ts';
import { clusterError, isImmutable } from '../../../lib/parts/clusters/kubernetes/server/client/failure.ts';
import { listObjects } from '../../../lib/parts/clusters/kubernetes/server/client/list-objects.ts';
import { refusalHint } from '../../../lib/parts/clusters/kubernetes/server/client/refusal-hint.ts';
import { blankValues } from '../../../lib/parts/clusters/kubernetes/server/client/secret-values.ts';
import { apiErrorOf } from '../../../lib/parts/clusters/kubernetes/server/client/status.ts';
import { watchObjects } from '../../../lib/parts/clusters/kubernetes/server/client/watch-objects.ts';
import { formatRendering, parseRendering } from '../../../lib/shared/rendering/rendering-record.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must } from '../violation.ts';

const { signal } = new AbortController();
const server = 'https://10.0.0.1:6443';

const discovery = JSON.stringify({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [{ resource: 'sets', responseKind: { kind: 'Set' }, scope: 'Namespaced', verbs: ['get'] }],
        },
      ],
    },
  ],
});
const version = '{"version":"v1"}';
const groups = `{"kind":"APIGroupList","groups":[{"name":"a","versions":[${version}],"preferredVersion":${version}}]}`;
const resources =
  '{"kind":"APIResourceList","resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list"]}]}';
const statuses = [
  'Deployment.apps \\"web\\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  'failed to create typed patch object (n/web; apps/v1, Kind=Deployment): errors: .spec.x: field not declared in schema',
  'admission webhook \\"policy.example.com\\" denied the request: no',
  'deployments.apps is forbidden: User \\"a\\" cannot create resource \\"deployments\\" in API group \\"apps\\" in the namespace \\"n\\"',
].map(
  (message) =>
    `{"kind":"Status","message":"${message}","reason":"Invalid","code":422,"details":{"causes":[{"reason":"FieldValueInvalid","message":"no","field":"spec.a"}]}}`,
);

const settings = [
  'kind: ClusterConfiguration\napiServer: {certSANs: [a], extraArgs: {service-node-port-range: 1-9}}\nnetworking: {podSubnet: 10.0.0.0/8}\n',
  'kind: ClusterConfiguration\napiServer:\n  extraArgs: [{name: service-node-port-range, value: 1-9}]\n',
];

const metadata = (name: string) => ({ name, namespace: 'n', uid: name, resourceVersion: '1', generation: 2 });
const evidence = JSON.stringify({
  objects: [
    {
      metadata: metadata('web'),
      spec: { replicas: 2, strategy: { type: 'Recreate' }, completions: 1, storageClassName: 's' },
      status: {
        observedGeneration: 2,
        replicas: 2,
        phase: 'Pending',
        conditions: [{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', message: 'not yet' }],
      },
    },
  ],
  pods: [
    {
      metadata: metadata('web-1'),
      spec: { containers: [{ name: 'web', image: 'example.com/web:1', resources: { limits: { memory: '64Mi' } } }] },
      status: {
        phase: 'Pending',
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: '0/1 nodes are available: 1 Insufficient cpu.',
          },
        ],
        containerStatuses: [
          {
            name: 'web',
            restartCount: 3,
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
            lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', message: 'x' } },
          },
        ],
      },
    },
  ],
  events: [
    {
      metadata: metadata('e'),
      involvedObject: { uid: 'web-1', fieldPath: 'spec.containers{web}' },
      type: 'Warning',
      reason: 'FailedCreate',
      message:
        'Error creating: pods "web-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
      count: 3,
      lastTimestamp: '2026-01-01T00:00:00Z',
    },
  ],
});
const drawn = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { password: 'MQ==', list: ['b', 1] } };
const record = Buffer.from(
  formatRendering({
    inputs: 'sha256:1',
    facts: 'sha256:2',
    brought: ['metrics.k8s.io/v1'],
    upgrade: false,
    traits: { asksKinds: false, looksUp: true, draws: true, defines: [] },
    objects: [
      { object: drawn, source: 'web/templates/a.yaml' },
      { object: { ...drawn, data: { content: 'MQ==', digest: 'MQ==' } }, source: undefined },
    ],
    notices: [{ subject: 'web', message: 'worded' }],
  }),
);
const deployments: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
  verbs: [],
};
const changes = ['ADDED', 'MODIFIED', 'BOOKMARK', 'DELETED']
  .map(
    (type) =>
      `${JSON.stringify({ type, object: { metadata: { name: 'web', resourceVersion: '8' }, code: 410, message: 'old' } })}\n`,
  )
  .join('');
/** Bytes of a chunk. */
const CHUNK = 100;
const kinds = {
  Deployment: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  Pod: '',
  Job: 'batch',
  PersistentVolumeClaim: '',
  Service: '',
  CustomResourceDefinition: 'apiextensions.k8s.io',
  APIService: 'apiregistration.k8s.io',
} as const;

/** Answers of API servers, and what is derived from them. */
export const cluster = parsers(
  'cluster',
  60,
  '"kind":"Status"¦"status":¦"spec":¦"conditions":¦"replicas":-1¦"message":¦"reason":¦"waiting":¦"items":' +
    '¦ImagePullBackOff¦ErrImagePull¦Unschedulable¦FailedMount¦FailedCreate¦exceeded quota' +
    '¦failed calling webhook "¦Invalid value: ¦conflict with "x"¦unable to retrieve¦is forbidden: ' +
    '¦violates PodSecurity¦pull access denied¦"type":"ERROR"¦": ',
  {
    discovery: { samples: [discovery, groups, resources], read: readDiscovery },
    status: { samples: statuses, read: readStatus },
    objects: { samples: [evidence], read: readObjects },
    changes: { samples: [changes], read: readChanges },
    settings: { samples: settings, read: readSettings },
    records: { samples: [record], read: readRecords },
  },
);

function readDiscovery(bytes: Buffer): void {
  const value = json(bytes);
  apiGroupsOf(value);
  resourcesOf(value, 'apps', 'v1');
}

function readSettings(bytes: Buffer): void {
  const found = kubeadmSettings(bytes.toString());
  const texts = Object.values(found ?? {});
  must(
    texts.every((text) => typeof text === 'string'),
    'a setting is not a text',
  );
}

function readStatus(bytes: Buffer): void {
  const blank = blankValues({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'c2VjcmV0' } });
  for (const status of [403, 409, 422, 500]) {
    const error = apiErrorOf(
      { status, headers: {}, body: bytes },
      { verb: 'apply', subject: 'Deployment n/web', blank },
    );
    isImmutable(error);
    refusalHint(error);
    const worded = clusterError(error, server);
    if (worded instanceof Error) checkMessage(worded.message);
  }
}

/** Reads what is remembered of a rendering, and what a rendering of now takes from it. */
function readRecords(bytes: Buffer): void {
  const objects = parseRendering(bytes)?.objects.map(({ object }) => object) ?? [];
  const [fresh, again] = [[drawn], [{ ...drawn, data: { password: 'Mg==', list: ['c', 1] } }]];
  withEarlierDraws(fresh, drawnPlaces(fresh, again), objects);
  withEarlierDraws(objects, drawnPlaces(objects, fresh), again);
  for (const object of objects) {
    headOf(object as LiveObject);
    contentIn(object as LiveObject);
  }
}

/** Reads what a server sends of a watch, in chunks of any size. */
async function readChanges(bytes: Buffer): Promise<string | undefined> {
  const version = { metadata: { resourceVersion: '7' } };
  const reply = { status: 200, etag: undefined, repeated: false, text: () => '', json: () => version };
  const stream = async function* (): Bytes {
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
  };
  const names: string[] = [];
  const change = ({ object }: ObjectChange): void => void names.push(wordsOf(nameOf(object)));
  try {
    const watch = { filter: {}, on: { begin: () => undefined, change } };
    await watchObjects({ send: async () => reply, stream }, deployments, watch, signal);
    return names.length === 0 ? 'none' : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    checkMessage(error.message);
    return error.message.slice(0, 20);
  }
}

const lists = z.looseObject({ objects: z.unknown(), pods: z.unknown(), events: z.unknown() });

async function readObjects(bytes: Buffer): Promise<string | undefined> {
  const value = lists.safeParse(json(bytes)).data;
  if (!value) return 'none';
  try {
    const [objects, pods, events] = [await listed(value.objects), await listed(value.pods), await listed(value.events)];
    const warnings = inOrder(events.map((event) => ({ ...event, apiVersion: 'v1', kind: 'Event' })));
    warningsOf(warnings).forEach(checkMessage);
    for (const object of objects)
      for (const [kind, group] of Object.entries(kinds)) tell(object, kind, group, pods, warnings);
  } catch (error) {
    throw error instanceof ApiError ? clusterError(error, server) : error;
  }
  return undefined;
}

function tell(
  one: LiveObject,
  kind: string,
  group: string,
  pods: readonly LiveObject[],
  events: readonly LiveObject[],
): void {
  const object = { ...one, kind, apiVersion: group === '' ? 'v1' : `${group}/v1` };
  const below = pods.map((pod) => ({ ...pod, kind: 'Pod', apiVersion: 'v1' }));
  checkMessage(readinessOf(object).message);
  const { cause, hint } = explain({ object, between: [], pods: below, events, storageClass: 'absent' });
  checkMessage(cause);
  checkMessage(hint);
}

/** Returns the objects of a list, as the client passes them on. */
function listed(items: unknown): Promise<readonly LiveObject[]> {
  const reply = { status: 200, etag: undefined, repeated: false, text: () => '', json: () => ({ items }) };
  const session = { send: async () => reply };
  return listObjects(session, deployments, {}, signal);
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
