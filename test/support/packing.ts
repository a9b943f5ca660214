import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reference } from '../../formats/oci/reference.ts';
import type { NamedSource } from '../../lib/kernel/content/model.ts';
import { type Archive, openArchive } from '../../lib/parts/archives/index.ts';
import { openRepository } from './open-repository.ts';

/** An image of a definition, as TOML has it; `more` are further lines of it. */
export interface ImageLines {
  readonly reference: string;
  readonly source?: string;
  readonly more?: readonly string[];
}

/** Writes a definition of images into `folder`, which is made, and returns its path. */
export function writeDefinition(folder: string, images: readonly ImageLines[]): string {
  mkdirSync(folder, { recursive: true });
  const tables = images.flatMap(({ reference, source, more = [] }) => [
    '[[images]]',
    `reference = ${JSON.stringify(reference)}`,
    ...(source === undefined ? [] : [`source = ${JSON.stringify(source)}`]),
    ...more,
  ]);
  const path = join(folder, 'solution.toml');
  writeFileSync(path, ['name = "hello"', 'version = "1.0.0"', ...tables, ''].join('\n'));
  return path;
}

/** Opens repositories of registries without TLS. */
export function connectPlainly({ registry, repository }: Reference): Promise<NamedSource> {
  return openRepository({ scheme: 'http', registry, repository });
}

/** Opens an archive, and closes it after `work`. */
export async function withArchive<T>(path: string, work: (archive: Archive) => Promise<T> | T): Promise<T> {
  const archive = await openArchive(path);
  try {
    return await work(archive);
  } finally {
    await archive[Symbol.asyncDispose]();
  }
}
