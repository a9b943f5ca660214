import { realpath } from 'node:fs/promises';
import {
  type Grants,
  grantedFolder,
  isAtOrBelow,
  isClosed,
  isGrantedAddress,
  isGrantedRepository,
  isGrantedVariable,
} from '../../../../formats/solution/grants.ts';
import { codeOf, lend, SolpackError, unreadable } from '../../../kernel/events/index.ts';
import { type HeldEntry, holdEntry, openFile, readToEnd } from '../../../kernel/files/index.ts';
import type { Origin } from './origin.ts';

/** Most bytes of a file that lies beside an archive. */
const NEIGHBOUR = 16 * 1024 * 1024;

const WORDS = 'may not be named by a configuration from a cluster';

/**
 * The origin of a document that comes from a cluster: whoever may write it there may not see, by means of it, what its
 * reader sees. It may name what `grants` allow, and nothing else. Files are held by their descriptors, from the folders
 * that were allowed on: neither links nor names that change meanwhile lead out of these.
 */
export function clusterOrigin(grants: Grants, environment: Readonly<Record<string, string>> = {}): Origin {
  const requireFile = (path: string): void => {
    if (grantedFolder(grants, path) === undefined) throw fileRefusal(path);
  };
  const hold = (path: string): Promise<HeldEntry> => heldWithin(grants, path);
  const reach: Origin['reach'] = async (path, work) => {
    const held = await hold(path).catch((error) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      throw unreadable(path, error);
    });
    return held === undefined ? work(undefined) : lend(held, ({ reached }) => work(reached));
  };
  const readFile: Origin['readFile'] = async (path, limit) => {
    const held = await hold(path).catch((error) => {
      throw unreadable(path, error);
    });
    return lend(held, async ({ reached }) => readToEnd(await openFile(path, 0, reached), limit));
  };
  const isThere: Origin['isThere'] = async (path) => {
    if (grantedFolder(grants, path) === undefined) return false;
    return reach(path, async (reached) => reached !== undefined);
  };
  return {
    readFile,
    variable: (name) => {
      if (isGrantedVariable(grants, name)) return environment[name];
      throw refusal(`the variable ${name}`, `allow it: --allow-variable ${name}`);
    },
    isThere,
    reach,
    placeOf: (path) => {
      requireFile(path);
      const beside = async (ending: string): Promise<Uint8Array | undefined> => {
        const neighbour = `${path}${ending}`;
        return (await isThere(neighbour)) ? readFile(neighbour, NEIGHBOUR) : undefined;
      };
      return { path, hold: () => hold(path), beside };
    },
    requireAddress: (url) => {
      if (isGrantedAddress(grants, url)) return;
      throw refusal(url.href, `allow it, or a path above it: --allow-address ${url.origin}/`);
    },
    requireRepository: (reference) => {
      if (isGrantedRepository(grants, reference)) return;
      const { registry, repository } = reference;
      throw refusal(`${registry}/${repository}`, `allow it: --allow-registry ${registry}/${repository}`);
    },
  };
}

/**
 * Holds what is at a path. Throws `configuration-bounds` where that is not below a folder that is allowed, and errors
 * of the system.
 */
async function heldWithin(grants: Grants, path: string): Promise<HeldEntry> {
  const held = await holdEntry(path, (at) => {
    const folder = grantedFolder(grants, at);
    if (folder !== undefined) return folder;
    throw at === path ? fileRefusal(path) : refusal(path, 'name the file itself: a link leads out of what is allowed');
  });
  // Mounts and links may make one thing appear at several places; what counts is where it is.
  const withheld = await Promise.all(grants.withheld.map((one) => realpath(one).catch(() => one)));
  if (!held.isOfKernel && !isClosed(held.real) && !withheld.some((one) => isAtOrBelow(held.real, one))) return held;
  await held[Symbol.asyncDispose]();
  throw fileRefusal(path);
}

function fileRefusal(path: string): SolpackError {
  return refusal(path, 'put it below an allowed folder, or allow its folder: --allow-files DIR');
}

function refusal(subject: string, hint: string): SolpackError {
  return new SolpackError('configuration-bounds', subject, WORDS, { hint: `${hint}; "solpack docs agent" has more` });
}
