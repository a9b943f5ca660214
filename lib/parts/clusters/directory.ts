import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { formatDocuments } from '../../../formats/manifest/documents.ts';
import { asInstalled } from '../../../formats/manifest/hooks.ts';
import { codeOf, lend, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { type HeldFolder, holdFolder, noFolder, writeIn } from '../../kernel/files/index.ts';
import type { ForeseenAction } from '../../kernel/plan/index.ts';
import type { AppliedSolution, ClusterTarget, ForeseenApply, RenderedSolution } from './kind.ts';

/**
 * Makes the target for a folder that shows what a first installation applies: `<solution>/<NNN>-<component>.yaml`,
 * named so that the files sort in the order of application. The folder of a Solution is replaced as a whole. Nothing
 * else is touched, so the Solutions of earlier requests stay.
 */
export function directoryTarget(folder: string): ClusterTarget {
  return {
    name: folder,
    facts: async () => undefined,
    inventory: async () => [],
    outside: async () => ({ installs: [], unread: [] }),
    recorded: async () => undefined,
    configurations: async () => [],
    generations: async () => [],
    generationContent: async () => undefined,
    status: async () => undefined,
    repair: async () => undefined,
    snapshot: async () => undefined,
    lookups: undefined,
    previousVersion: async () => undefined,
    settings: async () => ({}),
    whyNotReady: async () => undefined,
    nodes: async () => [],
    examine: async () => [],
    apply: async ({ solutions }) => {
      const written: AppliedSolution[] = [];
      for (const solution of solutions) {
        const { name, version } = solution;
        written.push({ name, version, files: await writeSolution(folder, solution), objects: [] });
      }
      return { solutions: written, removed: [] };
    },
    foresee: async ({ solutions }) => foreseeFiles(folder, solutions),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function writeSolution(path: string, solution: RenderedSolution): Promise<string[]> {
  try {
    return await lend(await holdFolder(path, true), async (folder) => {
      const partial = `.${solution.name}.partial-${randomBytes(4).toString('hex')}`;
      await fs.mkdir(folder.at(partial), 0o755);
      try {
        const files = await lend(await folder.enter(partial), (own) => writeAll(own, solution));
        await replace(folder, partial, solution.name);
        return files.map((file) => join(path, solution.name, file));
      } finally {
        await folder.remove(partial);
      }
    });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Compares the files of Solutions with those that are there. */
async function foreseeFiles(path: string, solutions: readonly RenderedSolution[]): Promise<ForeseenApply> {
  const actions: ForeseenAction[] = [];
  let unchanged = 0;
  for (const solution of solutions) {
    const own = join(path, solution.name);
    const before = new Map((await textsIn(own)).map(([name, text]) => [name, text]));
    const after = new Map(filesOf(solution));
    for (const [name, text] of after) {
      if (before.get(name) === text) unchanged += 1;
      else {
        const action = before.has(name) ? 'change' : 'create';
        actions.push({ subject: join(own, name), action, changes: [], bytes: text.length, solution: solution.name });
      }
    }
    for (const name of before.keys()) {
      if (!after.has(name)) actions.push({ subject: join(own, name), action: 'remove', changes: [] });
    }
  }
  return { actions, unchanged, basis: path };
}

/** Reads what was rendered into a folder before; nothing where it is not there. */
async function textsIn(path: string): Promise<[string, string][]> {
  const folder = await holdFolder(path).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw unwritable(path, error);
  });
  if (folder === undefined) return [];
  return lend(folder, async (own) => {
    await requireOurs(own);
    const texts: [string, string][] = [];
    for (const name of (await own.names()).sort()) {
      const handle = await own.open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        texts.push([name, await handle.readFile('utf8')]);
      } finally {
        await handle.close();
      }
    }
    return texts;
  });
}

async function writeAll(folder: HeldFolder, solution: RenderedSolution): Promise<string[]> {
  const files = filesOf(solution);
  for (const [file, text] of files) await writeIn(folder, file, Buffer.from(text));
  return files.map(([file]) => file);
}

/** Lists the files of a Solution, with what they say. */
function filesOf({ components }: RenderedSolution): [string, string][] {
  const digits = Math.max(2, String(components.length).length);
  const files: [string, string][] = [];
  for (const [index, { name, objects: stated }] of components.entries()) {
    const objects = asInstalled(stated);
    // kubectl refuses a file that holds nothing.
    if (objects.length === 0) continue;
    const file = `${String(index + 1).padStart(digits, '0')}0-${name}.yaml`;
    files.push([file, formatDocuments(objects)]);
  }
  return files;
}

const ours = /^\d{3,}-[a-z0-9-]+\.yaml$/;

/** Puts the folder `from` in the place of its sibling `to`, which may only hold what was rendered before. */
async function replace(folder: HeldFolder, from: string, to: string): Promise<void> {
  const old = `${from}.old`;
  const before = await folder.enter(to).catch((error) => {
    if (codeOf(error) === 'ENOTDIR') throw noFolder(join(folder.path, to), error);
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (before) {
    await lend(before, requireOurs);
    await fs.rename(folder.at(to), folder.at(old));
  }
  await fs.rename(folder.at(from), folder.at(to));
  if (before) await folder.remove(old);
}

async function requireOurs(folder: HeldFolder): Promise<void> {
  const foreign = (await folder.names()).find((name) => !ours.test(name));
  if (foreign === undefined) return;
  throw new SolpackError('output-exists', folder.path, `holds ${foreign}, which solpack did not render`, {
    hint: 'render into a separate folder',
  });
}
