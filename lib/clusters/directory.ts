import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { formatDocuments } from '../../formats/manifest/documents.ts';
import { asInstalled } from '../../formats/manifest/hooks.ts';
import { SolpackError } from '../errors.ts';
import { lend } from '../flow.ts';
import { noFolder } from '../folder-tree.ts';
import { type HeldFolder, holdFolder } from '../held-folder.ts';
import { writeIn } from '../pending-file.ts';
import { codeOf, unwritable } from '../system-errors.ts';
import type { AppliedSolution, ClusterTarget, RenderedSolution } from './kind.ts';

/**
 * Makes the target for a folder that shows what a first installation applies: `<solution>/<NNN>-<component>.yaml`, named so that
 * the files sort in the order of application. The folder of a Solution is replaced as a whole. Nothing else is touched,
 * so the Solutions of earlier requests stay.
 */
export function directoryTarget(folder: string): ClusterTarget {
  return {
    name: folder,
    facts: async () => undefined,
    inventory: async () => [],
    recorded: async () => undefined,
    configurations: async () => [],
    generations: async () => [],
    generationContent: async () => undefined,
    lookups: undefined,
    apply: async ({ solutions }) => {
      const written: AppliedSolution[] = [];
      for (const solution of solutions) {
        const { name, version } = solution;
        written.push({ name, version, files: await writeSolution(folder, solution), objects: [] });
      }
      return { solutions: written, removed: [] };
    },
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

async function writeAll(folder: HeldFolder, { components }: RenderedSolution): Promise<string[]> {
  const digits = Math.max(2, String(components.length).length);
  const files: string[] = [];
  for (const [index, { name, objects: stated }] of components.entries()) {
    const objects = asInstalled(stated);
    // kubectl refuses a file that holds nothing.
    if (objects.length === 0) continue;
    const file = `${String(index + 1).padStart(digits, '0')}0-${name}.yaml`;
    await writeIn(folder, file, Buffer.from(formatDocuments(objects)));
    files.push(file);
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
  throw new SolpackError('output-exists', folder.path, `holds ${foreign}, which no render wrote`, {
    hint: 'render into a folder of its own',
  });
}
