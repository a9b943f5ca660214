import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../../formats/digest.ts';
import { brokenAsks } from '../../../formats/resolve/broken.ts';
import { encodeSelection, parseSelection } from '../../../formats/solution/selection.ts';
import { installedIn } from '../../../lib/parts/clusters/kept-sets.ts';
import type { RenderedSolution } from '../../../lib/parts/clusters/kind.ts';
import { type Inventory, inventoryOf, parentOf } from '../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { formatContent, parseContent } from '../../../lib/parts/clusters/kubernetes/memory/generations/content.ts';
import {
  formatHeader,
  type GenerationHeader,
  parseHeader,
} from '../../../lib/parts/clusters/kubernetes/memory/generations/header.ts';
import { inventoryEntries } from '../../../lib/parts/clusters/kubernetes/memory/inventories.ts';
import type { LiveObject } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { requestedSecrets } from '../../../lib/parts/clusters/kubernetes/server/secret-texts.ts';
import { noMemory } from '../../../lib/parts/trust/index.ts';
import { generationToReturnTo, solutionsOf } from '../../../lib/shared/solutions/clusters/generations.ts';
import { permitBy, type ReturnTrust } from '../../../lib/shared/solutions/trusted/permit.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must, refusalOf } from '../violation.ts';

const [root, denied, signer] = [sha256('root'), sha256('denied'), '1'.repeat(64)];
const { signal } = new AbortController();
const flow = { signal, onEvent: () => undefined, host: { env: {}, temporary: '/nowhere' } } as never;

const release = {
  sequence: 2,
  created: 1_700_000_000,
  predicates: [],
  components: [{ name: 'web', kind: 'helm' }],
} as const;
const header: GenerationHeader = {
  ...{
    number: 3,
    at: '2026-01-01T00:00:00.000Z',
    ended: '2026-01-01T00:01:00.000Z',
    by: 'admin',
    host: 'node',
    state: 'ready',
  },
  ...{ reason: undefined, cause: 'rollback', of: 1, configuration: sha256('x'), content: sha256('y'), holder: '1-2-3' },
  solutions: [
    {
      ...{ name: 'shop', version: '1.0.0', root, site: undefined, signers: [signer], archive: '/srv/shop.iso' },
      images: [
        {
          reference: 'example.com/web:1',
          digest: root,
          at: { scheme: 'https', registry: 'r.example.com', repository: 'web' },
        },
        { reference: 'example.com/db:1', digest: root, on: { host: 'node', way: 'containerd', place: '/run/x.sock' } },
      ],
      release: { ...release, otherImages: ['other.example.com/x:1'] },
      migrated: ['Pot shop/clay'],
    },
  ],
};
const solution: RenderedSolution = {
  ...{ name: 'shop', version: '1.0.0', root, site: undefined, relations: { requires: { store: '^1' } } },
  components: [
    {
      name: 'web',
      objects: [
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'shop' }, data: { a: 'MQ==' } },
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'shop' }, data: { a: '1', b: '' } },
      ],
      after: ['db'],
      timeout: 60,
      ready: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', condition: 'Ready' }],
    },
  ],
  records: [{ about: 'rendered.web', bytes: Buffer.from('abc'), replaces: undefined }],
};
const inventory: Inventory = {
  ...{
    solution: 'shop',
    version: '1.0.0',
    root,
    site: undefined,
    configuration: 'edge',
    state: 'applying',
    previous: '0.9.0',
  },
  relations: { requires: { store: '^1' }, provides: { web: '1.0.0' } },
  components: ['web', 'db'],
  groupKinds: new Set(['Deployment.apps', 'Secret']),
  namespaces: new Set(['shop', 'solpack-system']),
};
const bases = [
  { name: 'shop', version: '0.9.0', root },
  { name: 'shop', version: '0.8.0', root: denied },
];
const selection = encodeSelection({
  bases,
  absent: [
    { digest: sha256('a'), base: 0 },
    { digest: sha256('b'), base: 1 },
  ],
});

/** Whom those trust who go back: a key for all Solutions within a namespace, and not one release. */
const trust: ReturnTrust = {
  basis: {
    policy: {
      version: 1,
      keys: new Map([[signer, { key: undefined, status: 'active', notBefore: undefined, notAfter: undefined }]]),
      rules: [
        {
          ...{ match: 'shop', keys: [signer], threshold: 1, minSequence: 2, requirePredicates: [], maxDaysAhead: 1 },
          ...{ movesTime: false, allow: { namespaces: ['shop'] } },
        },
      ],
      deny: new Set([denied]),
      rotation: undefined,
    } as never,
    clock: 1_800_000_000,
    memory: noMemory,
  },
};

/** What solpack keeps of its installs, in a cluster and in deltas, as somebody else may have written it there. */
export const remembered = parsers(
  'remembered',
  60,
  `"solutions":[]¦"number":0¦"number":1e9¦"state":"failed"¦"state":"applying"¦"cause":"install"¦"root":"${denied}"¦"root":null¦"signers":[]` +
    `¦"release":null¦"sequence":1¦"kind":"Secret"¦"namespace":"kube-system"¦"objects":[]¦"records":[]¦"relations":"{}"¦solution-shop` +
    `¦solpack-system¦applyset.kubernetes.io/part-of¦"base":1¦"absent":[]¦"bases":[]¦,,¦"__proto__":{}¦1e999¦-0`,
  {
    header: { samples: [formatHeader(header)], read: readHeader },
    content: { samples: [formatContent([solution])], read: readContent },
    inventory: { samples: [JSON.stringify(parentOf(inventory))], read: readInventory },
    selection: { samples: [selection], read: readSelection },
  },
);

async function readHeader(bytes: Buffer): Promise<string> {
  const found = parseHeader(bytes);
  if (found === undefined) return 'none';
  // By bytes, since JSON writes -0 as 0.
  const again = parseHeader(formatHeader(found));
  must(again !== undefined && isSame(formatHeader(again), formatHeader(found)), 'a generation changes when it is kept');
  const other = { ...found, number: found.number + 1 };
  for (const number of [undefined, found.number])
    await refusalOf(() => generationToReturnTo('edge', [other, found], number));
  checkMessage(solutionsOf(found));
  return permitted(found, [solution]);
}

/** Asks whether a generation may come back. What is denied, and what no key that counts has signed, never may. */
async function permitted(found: GenerationHeader, content: readonly RenderedSolution[]): Promise<string> {
  const permit = await permitBy(trust, 'passes', { facts: async () => undefined } as never, flow);
  const { code } = await refusalOf(() => permit('edge', found, content));
  const own = found.solutions.find(({ name }) => name === 'shop');
  const isTrusted = own?.root !== denied && own?.signers.includes(signer) === true && own.release?.sequence !== 1;
  must(isTrusted || code !== undefined, 'a generation comes back that nobody trusts');
  return code ?? 'read';
}

async function readContent(bytes: Buffer): Promise<string> {
  const found = parseContent(bytes);
  if (found === undefined) return 'none';
  const again = parseContent(formatContent(found)) ?? [];
  must(isSame(formatContent(again), formatContent(found)), 'what a generation applied changes when it is kept');
  must(
    requestedSecrets({ configuration: 'edge', solutions: found }).every((one) => typeof one === 'string'),
    'a secret is no text',
  );
  const [first] = found;
  if (first?.name !== 'shop') return 'read';
  const outside = first.components.some(({ objects }) =>
    objects.some(({ metadata }) => metadata.namespace === 'kube-system'),
  );
  const outcome = await permitted(header, found);
  must(!outside || outcome !== 'read', 'an object comes back in a namespace that is not allowed');
  return outcome;
}

function readInventory(bytes: Buffer): string {
  const live = parsed(bytes);
  const found = live && inventoryOf(live);
  if (found === undefined) return 'none';
  const kept = { ...parentOf(found) } as unknown as LiveObject;
  must(isDeepStrictEqual(inventoryOf(kept), found), 'an inventory changes when it is kept');
  const entries = inventoryEntries(new Map([['a', found]]));
  const now = installedIn(entries);
  for (const one of brokenAsks([{ release: { name: 'store', version: '1.0.0' }, configuration: 'other' }, ...now], now))
    checkMessage(one.words);
  return 'read';
}

function readSelection(bytes: Buffer): void {
  const found = parseSelection(bytes);
  must(Buffer.compare(encodeSelection(found), bytes) === 0, 'a selection is read that nobody writes so');
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** An API server answers with an object that has metadata: what else it says is for the reader to judge. */
function parsed(bytes: Buffer): LiveObject | undefined {
  try {
    const value = JSON.parse(bytes.toString());
    const { metadata } = value;
    const isNamed = typeof metadata?.name === 'string' && [metadata.labels, metadata.annotations].every(isTexts);
    return isNamed ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Labels and annotations are texts wherever an API server has them. */
function isTexts(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}
