import { dirname, resolve } from 'node:path';
import { parseConfiguration, type SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { type Archive, openArchive } from '../archives/index.ts';
import { refused } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { readFile } from '../open-file.ts';
import type { Candidate } from './choose.ts';

/** Reads the SolutionsConfiguration in the file `path`. Throws `configuration-invalid`. */
export async function readConfiguration(path: string): Promise<SolutionsConfiguration> {
  const bytes = await readFile(path);
  return refused('configuration-invalid', path, () => parseConfiguration(bytes), 'docs/format.md shows both forms');
}

/** Lists the archives that a SolutionsConfiguration names, as absolute paths, each once. Throws `configuration-invalid`. */
export async function configuredArchives(path: string): Promise<string[]> {
  const { groups } = await readConfiguration(path);
  return [...new Set(groups.flatMap(({ archives }) => archives.map((archive) => resolve(dirname(path), archive))))];
}

/** An open archive, with the name and version of its metadata. */
export interface OpenedArchive extends Candidate {
  readonly archive: Archive;
}

/** Opens every archive that the SolutionsConfiguration in the file `path` names. Where one fails, it closes the others. */
export async function openAll(
  path: string,
  { groups }: SolutionsConfiguration,
  flow: Flow,
): Promise<readonly OpenedArchive[]> {
  const opened: OpenedArchive[] = [];
  try {
    for (const { name: group, archives } of groups) {
      for (const file of new Set(archives.map((archive) => resolve(dirname(path), archive)))) {
        flow.onEvent({ type: 'step', step: 'open', subject: file });
        const archive = await openArchive(file, flow.signal);
        const { name, version } = archive.catalog.metadata;
        opened.push({ archive, path: file, name, version, group });
      }
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Closes archives. */
export async function closeAll(opened: readonly OpenedArchive[]): Promise<void> {
  await Promise.all(opened.map(({ archive }) => archive[Symbol.asyncDispose]()));
}
