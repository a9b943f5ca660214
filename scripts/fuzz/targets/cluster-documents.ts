import { relative, resolve } from 'node:path';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import type { Grants } from '../../../formats/solution/grants.ts';
import { isHeld, isInRegistry } from '../../../lib/kernel/content/place.ts';
import type { FollowedSource } from '../../../lib/parts/clusters/agent-cluster.ts';
import { documentOf } from '../../../lib/parts/clusters/kubernetes/agent/follow.ts';
import type { LiveObject } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { type ArchivePlace, archivesNamed, type MediaContext } from '../../../lib/shared/solutions/media/index.ts';
import { clusterOrigin } from '../../../lib/shared/solutions/origin/cluster.ts';
import { readGrants } from '../../../lib/shared/solutions/origin/grants.ts';
import { parsers } from '../parser.ts';
import { must, refusalOf } from '../violation.ts';

/** A folder that is not there: what is read in it was found elsewhere. */
const folder = '/nowhere/archives';
const host = 'files.example.com';
const repository = { registry: 'registry.example.com', path: 'team' };
const allowed = readGrants({
  folders: [folder],
  variables: ['SITE_*'],
  addresses: [`https://${host}/edge/`],
  registries: [`${repository.registry}/${repository.path}`],
  withheld: ['/etc/solpack'],
});

const named = {
  apiVersion: 'solutions.metalk8s.scality.com/v1alpha1',
  kind: 'SolutionsConfiguration',
  solutions: [
    {
      name: 'shop',
      archives: ['a.iso', '*.iso', '../b.iso', `https://${host}/edge/c.iso`, 'oci://registry.example.com/team/shop:1'],
      environments: { team: { version: '^1', values: { web: ['v.yaml'] } } },
      values: { web: ['/nowhere/archives/v.yaml', { a: 1 }] },
      secrets: {
        web: [
          { path: 'a', env: 'SITE_A' },
          { path: 'b', env: 'PATH' },
          { path: 'c', file: '/proc/self/environ' },
        ],
      },
      patches: { web: [{ path: 'p.yaml', target: { kind: 'Pod' } }] },
      keepDrawn: { web: true },
    },
  ],
};
const metadata = { name: 'edge', uid: 'u', resourceVersion: '1', generation: 1 };
const resource = JSON.stringify({ ...named, metadata, status: { generation: 1 } });
const map = JSON.stringify({ metadata, data: { 'solutions.yaml': JSON.stringify(named), other: '' } });
const flags = `files /srv/solutions
variable SITE_*
address https://files.example.com/edge
registry registry.example.com:5000/team
`;

/** What comes from clusters, and names files, variables and servers. */
export const clusterDocuments = parsers(
  'cluster-documents',
  12,
  '../¦/¦/proc/¦/etc/passwd¦/var/run/secrets/¦*¦?¦[a-z]¦http://127.0.0.1/¦https://files.example.com/edge/¦%2e%2e/¦..%2f¦@¦:80¦oci://¦' +
    'registry.example.com/team/¦localhost:5000/a:1¦SITE_¦PATH¦"env"¦"file"¦"path"¦"archives"¦"secrets"¦"patches"¦"values"¦:¦\\u0000¦\\\\',
  {
    resource: { samples: [resource], read: (bytes) => readDocument({ kind: 'custom-resource', name: 'edge' }, bytes) },
    map: {
      samples: [map],
      read: (bytes) => readDocument({ kind: 'config-map', namespace: 'n', name: 'edge' }, bytes),
    },
    parameters: { samples: [flags], read: (bytes) => readParameters(bytes.toString()) },
  },
);

async function readDocument(source: FollowedSource, bytes: Buffer): Promise<void> {
  const live = parsed(bytes);
  if (live === undefined) return;
  const { groups, sites } = parseConfiguration(documentOf(source, live, undefined).bytes);
  await nameAll(
    allowed,
    groups.flatMap(({ archives }) => archives),
  );
  const origin = clusterOrigin(allowed, { SITE_A: 'allowed', PATH: 'not allowed' });
  const files = sites.flatMap(({ values, secrets, patches }) => [...values, ...secrets, ...patches]);
  for (const { file } of files) {
    if (file === undefined) continue;
    const { code } = await refusalOf(() => origin.readFile(resolve(folder, file), 1024));
    must(code !== undefined, `${file} was read`);
    must(
      isWithin(resolve(folder, file)) || code === 'configuration-bounds',
      `the message says whether ${file} is there`,
    );
  }
  for (const { env } of sites.flatMap(({ secrets }) => secrets)) {
    if (env === undefined) continue;
    const { value } = await refusalOf(async () => origin.variable(env));
    must(value !== 'not allowed', `the variable ${env} was read`);
  }
}

const isWithin = (path: string): boolean => !/^\.\.(?:\/|$)/.test(relative(folder, path));

/** An API server answers with an object that has metadata: what else it says is for the parser to judge. */
function parsed(bytes: Buffer): LiveObject | undefined {
  try {
    const value = JSON.parse(bytes.toString());
    return typeof value?.metadata === 'object' && value.metadata !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function nameAll(grants: Grants, entries: readonly string[]): Promise<void> {
  const origin = clusterOrigin(grants);
  const connect: MediaContext['connect'] = (reference) => ({
    reference,
    connect: async () => {
      throw new Error('a registry was asked');
    },
  });
  for (const entry of entries) {
    const { value } = await refusalOf(() => archivesNamed(entry, { base: folder, origin, connect }));
    for (const place of value?.places ?? []) mustBeAllowed(place);
  }
}

function mustBeAllowed(place: ArchivePlace): void {
  if (typeof place === 'string') must(false, `${place} is not held`);
  else if (isHeld(place)) must(isWithin(place.path), `${place.path} is named`);
  else if (isInRegistry(place)) {
    const { registry, repository: path } = place.reference;
    const isBelow = path === repository.path || path.startsWith(`${repository.path}/`);
    must(registry.toLowerCase() === repository.registry && isBelow, `${registry}/${path} is named`);
  } else {
    const { protocol, host: asked, pathname } = place.url;
    const way = pathname.replaceAll(/%2f|%5c|\\/gi, '/').replaceAll(/%2e/gi, '.');
    must(protocol === 'https:' && asked === host, `${place.url} is named`);
    must(way.startsWith('/edge/') && !way.split('/').includes('..'), `${place.url} is named`);
  }
}

/** The parameters of a loader allow no more than they say, and never what is closed. */
async function readParameters(text: string): Promise<void> {
  const of = (flag: string): string[] =>
    text.split('\n').flatMap((line) => (line.startsWith(`${flag} `) ? [line.slice(flag.length + 1)] : []));
  const grants = readGrants({
    folders: of('files').map((path) => resolve('/', path)),
    variables: of('variable'),
    addresses: of('address'),
    registries: of('registry'),
    withheld: [],
  });
  const origin = clusterOrigin(grants, { PATH: '/bin' });
  for (const path of ['/proc/self/environ', '/var/run/secrets/kubernetes.io/serviceaccount/token']) {
    const { code } = await refusalOf(() => origin.readFile(path, 1024));
    must(code === 'configuration-bounds', `${path} may be named`);
  }
}
