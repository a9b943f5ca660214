import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { exactJson } from '../../../formats/exact-json.ts';
import { formatDocuments, type KubernetesObject } from '../../../formats/manifest/documents.ts';
import { withIntegers, wordedIntegers } from '../../../formats/manifest/worded-integers.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { temporaryFolder } from '../../kernel/files/index.ts';
import { buildKustomization } from './tools.ts';

/** One document of a patch, as a kustomization has it. */
export interface PatchEntry {
  /** A partial object, or a list of operations (RFC 6902). */
  readonly document: unknown;
  /** Which objects it is for; undefined where a partial object names one. */
  readonly target: Readonly<Record<string, string>> | undefined;
  readonly options: Readonly<Record<string, boolean>> | undefined;
}

/**
 * Lets kubectl or kustomize apply patches to objects, and returns all of these in their order. Integers of 64 bits stay
 * what they are. Throws `tool-failed`.
 */
export async function kustomized(
  component: string,
  objects: readonly KubernetesObject[],
  patches: readonly PatchEntry[],
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const write = (name: string, text: string): Promise<void> => fs.writeFile(join(path, name), text, { mode: 0o600 });
    const entries = patches.map(({ target, options }, index) => ({ path: `patch-${index}.yaml`, target, options }));
    // An operation makes floats of all numbers of its object in kustomize, so that it gets strings for what a float
    // does not keep.
    const mark = markFor(exactJson([objects, patches]));
    // JSON is YAML: what was read is what kustomize reads, whatever release of YAML it follows.
    for (const [index, { document }] of patches.entries()) {
      await write(`patch-${index}.yaml`, exactJson(wordedIntegers(document, mark)));
    }
    await write('objects.yaml', formatDocuments(objects.map((one) => wordedIntegers(one, mark) as KubernetesObject)));
    const kustomization = { resources: ['objects.yaml'], patches: entries, sortOptions: { order: 'fifo' } };
    await write('kustomization.yaml', exactJson(kustomization));
    return (await buildKustomization(path, component, flow)).map(({ object }) => withIntegers(object, mark));
  });
}

/** Returns what no string of a text begins with. */
function markFor(text: string): string {
  let mark = 'integer:';
  while (text.includes(`"${mark}`)) mark = `integer-${mark}`;
  return mark;
}
