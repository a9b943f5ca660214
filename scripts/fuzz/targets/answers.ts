import { collect, once } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { parseChallenges } from '../../../formats/oci/challenge.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../../formats/oci/manifest.ts';
import { parseJournal } from '../../../lib/archives/journal.ts';
import type { LiveObject } from '../../../lib/clusters/kubernetes/api.ts';
import { groupsOf, resourcesOf } from '../../../lib/clusters/kubernetes/client/discovery-documents.ts';
import { apiErrorOf } from '../../../lib/clusters/kubernetes/client/status.ts';
import { readinessOf } from '../../../lib/clusters/kubernetes/readiness/index.ts';
import type { Answer } from '../../../lib/http/transport.ts';
import type { Client } from '../../../lib/registries/client.ts';
import { answerFailure } from '../../../lib/registries/failure.ts';
import { listReferrers } from '../../../lib/registries/referrers.ts';
import { listTags } from '../../../lib/registries/tags.ts';
import { fetchToken } from '../../../lib/registries/token.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must } from '../violation.ts';

const digest = sha256('x');
const descriptor = { mediaType: mediaTypes.manifest, digest, size: 3 };
const url = new URL('https://registry.example.com/v2/a/b/tags/list');
const same = (text: string): string => text;
const target = { scheme: 'https', registry: url.host, repository: 'a/b' } as const;
const next = '</v2/a/b/tags/list?last=b>; rel="next"';

const discovery = JSON.stringify({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            { resource: 'deployments', responseKind: { kind: 'Deployment' }, scope: 'Namespaced', verbs: ['get'] },
          ],
        },
      ],
    },
  ],
});
const groups =
  '{"kind":"APIGroupList","groups":[{"name":"a","versions":[{"version":"v1"}],"preferredVersion":{"version":"v1"}}]}';
const resources =
  '{"kind":"APIResourceList","resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list"]}]}';
const status =
  '{"kind":"Status","message":"is forbidden","reason":"Invalid","details":{"causes":[{"reason":"x","message":"y","field":"spec.a"}]}}';
const live = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'n', uid: 'u', resourceVersion: '1', generation: 2 },
  spec: { replicas: 2, strategy: { type: 'Recreate' } },
  status: { observedGeneration: 2, replicas: 2, conditions: [{ type: 'Available', status: 'True', message: 'm' }] },
});
const kinds = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Pod',
  'Job',
  'PersistentVolumeClaim',
  'Service',
];
const journal = `solpack-journal 1 ${digest}\ndone ${digest}\nsafe 1\nat ${digest} 12\n`;

/** What registries, token servers and API servers answer, and what an earlier run has left. */
export const answers = parsers(
  'answers',
  100,
  [
    ...[
      '"tags":null',
      '"token":',
      '"access_token":',
      '"expires_in":',
      '"errors":[',
      '"manifests":null',
      '"kind":"Status"',
      '"status":',
    ],
    ...[
      '"spec":',
      '"conditions":',
      '"replicas":-1',
      'done ',
      'safe 9',
      'at ',
      '\n\n',
      'rel="next"',
      '<',
      '>; ',
      ...kinds,
    ],
  ],
  {
    tags: { samples: [`${next}\n{"name":"a/b","tags":["a","b"]}`], read: readTags },
    referrers: {
      samples: [`\n${Buffer.from(encodeIndex({ manifests: [descriptor] }))}`, '\n{"manifests":null}'],
      read: readReferrers,
    },
    token: { samples: ['{"token":"abc","expires_in":300}', '{"access_token":"abc"}'], read: readToken },
    failure: {
      samples: ['{"errors":[{"code":"DENIED","message":"no"}]}', '{"error":"x","error_description":"y"}'],
      read: async (bytes) => checkMessage((await answerFailure(answerOf(bytes, 500), tried('GET'))).message),
    },
    cluster: { samples: [discovery, groups, resources, status], read: readCluster },
    readiness: { samples: [live], read: readLive },
    journal: { samples: [journal], read: (bytes) => void parseJournal(bytes.toString(), digest) },
  },
);

/** The first line is the `Link` of the first page, which has the rest. */
async function readTags(bytes: Buffer): Promise<void> {
  await listTags(clientOf(bytes));
}

async function readReferrers(bytes: Buffer): Promise<void> {
  const found = await listReferrers(clientOf(bytes), descriptor);
  must(new Set(found.map((one) => one.digest)).size === found.length, 'a referrer is listed twice');
}

async function readToken(bytes: Buffer): Promise<void> {
  const [challenge] = parseChallenges('Bearer realm="https://auth.example.com/token"');
  const grant = { challenge: challenge!, scopes: [], credentials: undefined };
  const { until } = await fetchToken(target, grant, async () => answerOf(bytes), same);
  must(!Number.isNaN(until), 'a token has no end');
}

function readCluster(bytes: Buffer): void {
  checkMessage(apiErrorOf({ status: 500, headers: {}, body: bytes }, { verb: 'GET', subject: 'x' }, undefined).message);
  const value = json(bytes);
  groupsOf(value);
  resourcesOf(value, 'apps', 'v1');
}

function readLive(bytes: Buffer): void {
  // What the client hands on has passed as an object.
  for (const object of parseDocuments(bytes.toString(), 'answer')) {
    for (const kind of [object.kind, ...kinds]) checkMessage(readinessOf({ ...object, kind } as LiveObject).message);
  }
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function tried(method: string): Parameters<typeof answerFailure>[1] {
  return { method, url, subject: 'registry.example.com/a/b', blank: same };
}

function answerOf(body: Buffer, code = 200, link?: string): Answer {
  return {
    status: code,
    headers: { 'content-type': mediaTypes.index, ...(link === undefined ? {} : { link }) },
    url,
    read: () => once(body),
    gather: (limit) => collect(once(body), limit),
    discard: () => undefined,
  };
}

/** A client whose registry answers each call alike, and has no other page behind the second one. */
function clientOf(bytes: Buffer): Client {
  const end = bytes.indexOf('\n');
  const link = bytes.toString('latin1', 0, Math.max(0, end));
  const body = bytes.subarray(end + 1);
  let calls = 0;
  return {
    name: 'registry.example.com/a/b',
    target,
    send: async () => {
      calls += 1;
      return answerOf(body, 200, calls > 2 ? undefined : link);
    },
    failure: (call, answer) => answerFailure(answer, tried(call.method)),
    reading: (_, work) => work(),
  } as Partial<Client> as Client;
}
