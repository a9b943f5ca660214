import { dirname, resolve } from 'node:path';
import type { Definition } from '../../../formats/solution/definition.ts';
import { localPaths } from '../../kernel/content/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';

/**
 * Lists the paths that a pack may read: those that a definition names, some of which may be none, and those of archives
 * that have something already.
 */
export function inputFiles(path: string, definition: Definition, bases: readonly ArchivePlace[]): string[] {
  const { images, components, sbom } = definition;
  const named = [
    sbom,
    ...images.flatMap((image) => [image.sbom, pathIn(image.source)]),
    ...components.flatMap((component) => [component.path, component.siteSchema, ...component.values]),
  ];
  const folder = dirname(path);
  const files = named.flatMap((name) => (name === undefined ? [] : [resolve(folder, name)]));
  return [path, ...files, ...localPaths(bases)];
}

/** The path in the source of an image, `TRANSPORT:PATH[:REFERENCE]`, if it is one. */
function pathIn(source: string): string | undefined {
  return source.split(':')[1];
}
