import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseReference } from '../../../formats/oci/reference.ts';
import type { ImageDelivery } from '../../../lib/flows/install/delivery/delivery.ts';
import { readInstall } from '../../../lib/flows/install/read.ts';
import { installSteps } from '../../../lib/flows/install/steps/index.ts';
import { readLoad } from '../../../lib/flows/load/read.ts';
import { loadSteps } from '../../../lib/flows/load/steps.ts';
import { readPush } from '../../../lib/flows/push/read.ts';
import { pushSteps } from '../../../lib/flows/push/steps/index.ts';
import { lend } from '../../../lib/kernel/events/lend.ts';
import { type Archive, openArchive } from '../../../lib/parts/archives/index.ts';
import type { ClusterTarget } from '../../../lib/parts/clusters/index.ts';
import { targetOver } from '../../../lib/parts/clusters/kubernetes/target.ts';
import { openStore, startRegistry } from '../../../lib/parts/registry-server/index.ts';
import { loadPublicKey, readMemory, trustInKeys } from '../../../lib/parts/trust/index.ts';
import { servedContent } from '../../../lib/shared/solutions/registries/served-content.ts';
import { listen } from '../apiserver.ts';
import { contentOf, prompt, versionsOf } from '../cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from '../cluster/index.ts';
import { type StepFlow, stepFlow } from './flows.ts';

/** What worlds are made of: a configuration of a signed archive, its key, a tree of components. */
export interface Given {
  readonly folder: string;
  readonly configuration: string;
  readonly archive: string;
  readonly key: string;
  readonly tree: string;
}

/** A registry of its own for each world: with an empty store, or with the archive that it serves. */
async function registryIn(
  folder: string,
  served: Archive | undefined,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const store = served ? undefined : await openStore(folder);
  const contents = served ? [await servedContent(served)] : [];
  const { url, close } = await startRegistry(contents, { host: '127.0.0.1', port: 0, store });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await close();
      await store?.[Symbol.asyncDispose]();
      await served?.[Symbol.asyncDispose]();
    },
  };
}

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((settle) => server.close(settle));
  return port;
}

/** Files below a folder, with `of` each of them; `owned` is what differs between worlds. */
function filesIn(folder: string, owned: readonly string[], of: (path: string) => string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length), without(of(path), owned)]));
}

const without = (text: string, owned: readonly string[]): string =>
  // A mirror's file has a digest of what it says, its registry among that; what is remembered of files has their
  // stamps.
  owned
    .reduce((left, one) => left.replaceAll(one, 'OWN'), text)
    .replace(/solpack \(sha256:\w+\)/, 'OWN')
    .replace(/"\d+(?:-\d+){4}"/g, '"OWN"');
const textOf = (path: string): string => readFileSync(path, 'latin1');
const dateOf = (path: string): string => `${statSync(path).ino} ${statSync(path).mtimeMs}`;

function targetOf(cluster: MemoryCluster): ClusterTarget {
  return targetOver('memory', async () => cluster.connect(), { timing: prompt, force: false });
}

/** How an install of these tests gets images to nodes, who find a registry at a URL, or may start one at a port. */
export interface TestDelivery {
  /** Whether the registry serves the archive already. */
  readonly isServed: boolean;
  make(url: string, port: number, folder: string): ImageDelivery;
  /** Whether images are pulled from a registry, so that nodes need mirrors. */
  readonly isPulled?: boolean;
}

/** An install, with mirrors, into a cluster. */
export function installFlow(name: string, given: Given, { isServed, make, isPulled = true }: TestDelivery): StepFlow {
  return stepFlow(name, async (own) => {
    const folder = join(given.folder, own);
    mkdirSync(join(folder, 'files'), { recursive: true });
    const registry = await registryIn(join(folder, 'store'), isServed ? await openArchive(given.archive) : undefined);
    const port = await freePort();
    const cluster = memoryCluster();
    const state = join(folder, 'files/state');
    const request = {
      configuration: given.configuration,
      delivery: make(registry.url, port, join(folder, 'files')),
      hostsDir: isPulled ? join(folder, 'files/certs.d') : undefined,
      timeout: 10_000,
      variables: {},
      allowMissingImages: false,
      test: false,
      strict: false,
    };
    const owned = [registry.url, `http://127.0.0.1:${port}`];
    return {
      kinds: installSteps(request.delivery).filter(
        ({ kind }) => isPulled || (!kind.endsWith('mirror') && !kind.endsWith('mirrors')),
      ),
      reading: async (flow, work) => {
        const basis = trustInKeys([await loadPublicKey(given.key)], undefined, await readMemory(state))!;
        const trust = { basis, state, allowDowngrade: false };
        return lend(await readInstall({ ...request, trust, cluster: targetOf(cluster) }, flow), work);
      },
      content: () => [contentOf(cluster), filesIn(folder, owned, textOf)],
      versions: () => [versionsOf(cluster), filesIn(folder, owned, dateOf)],
      [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
    };
  });
}

/** A load of a tree into a cluster; with `delivery`, its images come out of the archive, and nodes have mirrors. */
export function loadFlow(name: string, given: Given, delivery?: TestDelivery): StepFlow {
  return stepFlow(name, async (own) => {
    const folder = join(given.folder, own);
    mkdirSync(join(folder, 'files'), { recursive: true });
    const registry = await registryIn(join(folder, 'store'), undefined);
    const cluster = memoryCluster();
    const hostsDir = join(folder, 'files/certs.d');
    const images = delivery && {
      archives: [given.archive],
      media: { base: given.folder },
      trust: 'skip' as const,
      delivery: delivery.make(registry.url, 0, folder),
      hostsDir,
      allowMissing: false,
    };
    const asked = { folders: [given.tree], name: undefined, variables: {}, retryFor: 0, keepGoing: false };
    const request = { ...asked, allowEmpty: false, timeout: 10_000, ...(images && { images }) };
    return {
      kinds: loadSteps(images?.delivery, hostsDir),
      reading: async (flow, work) => lend(await readLoad({ ...request, cluster: targetOf(cluster) }, flow), work),
      content: () => [contentOf(cluster), filesIn(folder, [registry.url], textOf)],
      versions: () => [versionsOf(cluster), filesIn(folder, [registry.url], dateOf)],
      [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
    };
  });
}

/** A push with names for images, to the registry of its world. */
export function pushFlow(name: string, given: Given): StepFlow {
  return stepFlow(name, async (own) => {
    const folder = join(given.folder, own);
    const registry = await registryIn(folder, undefined);
    const { host } = new URL(registry.url);
    const request = { archive: given.archive, reference: parseReference(`${host}/edge/hello`), expand: true };
    const options = { plainHttp: true };
    return {
      kinds: pushSteps,
      reading: async (flow, work) => lend(await readPush({ ...request, options }, flow), work),
      content: () => filesIn(folder, [host], textOf),
      versions: () => filesIn(folder, [host], dateOf),
      [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
    };
  });
}
