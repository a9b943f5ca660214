import * as fs from 'node:fs/promises';
import { text, utf8 } from '../../../formats/bytes.ts';
import { addImages } from '../../../formats/solution/add-images.ts';
import { removeImages } from '../../../formats/solution/remove-images.ts';
import { type Flow, lend, refused } from '../../kernel/events/index.ts';
import { ownPath, readFile, writeFile } from '../../kernel/files/index.ts';
import type { SourceConnections } from '../../parts/sources/index.ts';
import { type ReportedImage, reportImages } from '../../shared/rendering/index.ts';
import { openComponentSources } from './component-sources.ts';
import { definedBy } from './defined-images.ts';
import { missingOf, readUse } from './image-use.ts';
import { lockPath, readLock } from './lock.ts';
import { readDefinition } from './prepare.ts';

/** Which images to list. */
export interface ImagesRequest {
  /** Path of the definition, absolute. */
  readonly definition: string;
  /** Whether the definition gets those that it lacks. */
  readonly write?: boolean | undefined;
  /** Whether those are taken out that no component names. */
  readonly prune?: boolean | undefined;
  /** What else clusters serve, as `group/version` and `group/version/Kind`. Left out: nothing. */
  readonly apiVersions?: readonly string[] | undefined;
  /** How components are fetched that lie elsewhere; left out, they are refused. */
  readonly sources?: SourceConnections | undefined;
}

/** The images that the objects of a definition name. */
export interface ImagesResult {
  readonly images: readonly ReportedImage[];
  /** The images that the definition lists without keep, and that no component names. */
  readonly unused: readonly string[];
}

/**
 * Renders the components of a definition as `pack` does, and lists the images that their objects name. Opens no source
 * of an image. With `write`, it adds to the definition the missing images that no site provides, after the existing
 * ones; with `prune`, it removes those that no component names. Nothing else in the definition changes. Throws what
 * rendering throws, `definition-invalid`, `file-missing`.
 */
export async function listImages(request: ImagesRequest, flow: Flow): Promise<ImagesResult> {
  const { definition: path, write = false, prune = false } = request;
  const { definition } = await readDefinition(path);
  const lock = await readLock(lockPath(path));
  const from = { definition: path, lock, mode: 'use', connections: request.sources, keeps: write } as const;
  const read = await lend(openComponentSources(from, flow), (sources) => readUse(definition, request, sources, flow));
  const stated = read.used(definedBy(definition.images, lock));
  // A digest may be that of one platform of an image, which nobody opens here.
  const unused = read.unused((image, name) => [lock, undefined].some((one) => definedBy([image], one)(name)));
  const missing = write ? missingOf(stated, flow) : [];
  const gone = prune ? unused : [];
  if (missing.length + gone.length === 0) return { images: reportImages(stated), unused };
  const numbers = definition.images.flatMap(({ reference }, at) => (gone.includes(reference) ? [at] : []));
  await edit(path, (before) => addImages(removeImages(before, numbers), missing));
  const tell = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
  for (const subject of gone) tell(subject, 'was removed from the definition');
  for (const subject of missing) tell(subject, 'was added to the definition');
  const { definition: edited } = await readDefinition(path);
  return { images: reportImages(read.used(definedBy(edited.images, lock))), unused: prune ? [] : unused };
}

/** Edits the file of a definition, which keeps its mode and, if it is a link, stays one. */
async function edit(path: string, change: (text: string) => string): Promise<void> {
  const real = await ownPath(path);
  const { mode } = await fs.stat(real);
  const before = text(await readFile(real), 'toml-invalid');
  const after = await refused('definition-invalid', path, () => change(before), 'edit it by hand');
  await writeFile(real, utf8(after), mode & 0o777);
}
