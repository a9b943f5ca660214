import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { formatDocuments } from '../../formats/manifest/documents.ts';
import { SolpackError } from '../errors.ts';
import { codeOf, unwritable } from '../host.ts';
import { writeFile } from '../pending-file.ts';
import type { AppliedSolution, ClusterTarget, RenderedSolution } from './kind.ts';

/**
 * A folder that shows what would be applied: `<solution>/<NNN>-<component>.yaml`, whose names sort in the order of
 * application. A Solution's folder is replaced as a whole; nothing else in the folder is touched, so that Solutions
 * of an earlier request stay.
 */
export function directoryTarget(folder: string): ClusterTarget {
  return {
    name: folder,
    facts: async () => undefined,
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

async function writeSolution(folder: string, solution: RenderedSolution): Promise<string[]> {
  try {
    await fs.mkdir(folder, { recursive: true });
    const partial = await fs.mkdtemp(join(folder, `.${solution.name}.partial-`));
    try {
      const files = await writeAll(partial, solution);
      await fs.chmod(partial, 0o755);
      await replace(partial, join(folder, solution.name));
      return files.map((file) => join(folder, solution.name, file));
    } finally {
      await fs.rm(partial, { recursive: true, force: true });
    }
  } catch (error) {
    throw unwritable(folder, error);
  }
}

async function writeAll(folder: string, { components }: RenderedSolution): Promise<string[]> {
  const digits = Math.max(2, String(components.length).length);
  const files: string[] = [];
  for (const [index, { name, objects }] of components.entries()) {
    // kubectl refuses a file that holds nothing.
    if (objects.length === 0) continue;
    const file = `${String(index + 1).padStart(digits, '0')}0-${name}.yaml`;
    await writeFile(join(folder, file), Buffer.from(formatDocuments(objects)));
    files.push(file);
  }
  return files;
}

const ours = /^\d{3,}-[a-z0-9-]+\.yaml$/;

async function replace(from: string, to: string): Promise<void> {
  const before = await fs.readdir(to).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const foreign = before.find((name) => !ours.test(name));
  if (foreign !== undefined) {
    throw new SolpackError('output-exists', to, `holds ${foreign}, which no render wrote`, {
      hint: 'render into a folder of its own',
    });
  }
  const old = `${from}.old`;
  const existed = await fs.rename(to, old).then(
    () => true,
    (error) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
  await fs.rename(from, to);
  if (existed) await fs.rm(old, { recursive: true, force: true });
}
