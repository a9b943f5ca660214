import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocuments } from '../../../../formats/manifest/documents.ts';
import { isKustomization, kustomizationNames } from '../../../../formats/manifest/kustomization.ts';
import { parseExactYaml } from '../../../../formats/manifest/yaml.ts';
import { type Flow, lend, refused, SolpackError, unwritable } from '../../../kernel/events/index.ts';
import { temporaryFolder } from '../../../kernel/files/index.ts';
import { listFiles } from '../files.ts';
import type { StatedObject, UnpackedComponent } from '../kind.ts';
import { kustomizationFiles } from '../kustomization-files.ts';
import { requireUnrounded } from '../rounded-integers.ts';
import { writeTemporary } from '../temporary-files.ts';
import { buildKustomization } from '../tools.ts';
import { labelOf } from './program.ts';

const NAME = 'output of run';

/**
 * Parses what a plugin printed: objects of the API, nothing, or one Kustomization, which is built with the files of the
 * plugin's folder. Throws `plugin-failed` for anything else, and what the build of a kustomization throws.
 */
export async function objectsPrinted(
  component: UnpackedComponent,
  output: string,
  flow: Flow,
): Promise<StatedObject[]> {
  const label = labelOf(component);
  const documents = await refused('plugin-failed', label, () => parseExactYaml(output, NAME));
  if (!documents.some(({ value }) => isKustomization(value))) {
    const objects = await refused('plugin-failed', label, () => parseDocuments(output, NAME));
    return objects.map((object) => ({ object, source: undefined }));
  }
  if (documents.length > 1) {
    throw new SolpackError('plugin-failed', label, 'run printed a Kustomization beside other documents', {
      hint: 'print one or the other',
    });
  }
  return built(component, output, flow);
}

/** Builds in a copy of the plugin's folder, which stays unchanged. In the copy links are files, as in an archive. */
async function built(component: UnpackedComponent, output: string, flow: Flow): Promise<StatedObject[]> {
  const folder = join(component.folder, component.entry);
  const files = await listFiles(folder, folder, { signal: flow.signal });
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const home = join(path, 'plugin');
    const isOld = (name: string): boolean => kustomizationNames.some((known) => known === name);
    const kept = files.filter((one) => !isOld(one.path));
    await writeTemporary(kept, home, flow.signal);
    try {
      await fs.writeFile(join(home, kustomizationNames[0]), output);
    } catch (error) {
      throw unwritable(home, error);
    }
    await kustomizationFiles(home, home, flow.signal);
    const objects = await buildKustomization(home, labelOf(component), flow);
    await requireUnrounded(labelOf(component), objects, home, flow.signal);
    return objects;
  });
}
