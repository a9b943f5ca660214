import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { installerFileOf } from '../../../formats/solution/installer.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import type { Manifests } from '../../kernel/content/index.ts';
import { type Artifact, artifactOf, fileOf } from './artifact.ts';
import type { CatalogFile } from './catalog.ts';

/** The installer that an archive brings along. */
export interface CatalogInstaller {
  readonly artifact: Artifact;
  readonly files: readonly CatalogFile[];
}

/**
 * Reads the installer that a root names; undefined where it names none. Throws `FormatError` `solution-invalid` where
 * it names several, or files that no installer has.
 */
export async function readInstaller(
  entries: readonly Descriptor[],
  reader: Manifests,
  signal?: AbortSignal,
): Promise<CatalogInstaller | undefined> {
  const [entry, ...more] = entries.filter(({ artifactType }) => artifactType === solutionTypes.installer);
  if (!entry) return undefined;
  if (more.length > 0) throw new FormatError('solution-invalid', 'its root names more than one installer');
  const artifact = await artifactOf(entry, reader, signal);
  return { artifact, files: artifact.value.layers.map(installerFile) };
}

function installerFile(layer: Descriptor): CatalogFile {
  const file = fileOf(layer);
  const known = installerFileOf(file.path);
  if (known === undefined) {
    throw new FormatError('solution-invalid', `${shown(file.path)} is not an allowed path of an installer`);
  }
  if ((file.mode === 0o755) === (known.kind === 'program')) return file;
  const words =
    known.kind === 'program' ? 'is a program that is not executable' : 'is not a program, but is executable';
  throw new FormatError('solution-invalid', `${file.path} ${words}`);
}

function shown(path: string): string {
  return JSON.stringify(path.length > 256 ? `${path.slice(0, 256)}…` : path);
}
