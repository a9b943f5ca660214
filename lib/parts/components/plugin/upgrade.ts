import { utf8 } from '../../../../formats/bytes.ts';
import { formatDocuments, type KubernetesObject, parseDocuments } from '../../../../formats/manifest/documents.ts';
import { groupOf } from '../../../../formats/manifest/namespace.ts';
import type { PreviousVersion, ReadPreviousVersion } from '../../../kernel/content/index.ts';
import { type Flow, refused, SolpackError } from '../../../kernel/events/index.ts';
import type { UnpackedComponent } from '../kind.ts';
import { callPlugin } from './call.ts';
import { labelOf } from './program.ts';

/**
 * Asks a plugin that follows the second version of the convention how custom resources have to change, where another
 * version of its Solution is there: calls `upgrade FROM` with the objects before on standard input. Each object of its
 * answer is one of those custom resources, in its new form; it has the `uid` and the `generation` of the previous one.
 * Throws `plugin-failed` for anything else, and what calling the plugin throws.
 */
export async function migrationsOf(
  component: UnpackedComponent,
  readPreviousVersion: ReadPreviousVersion,
  flow: Flow,
): Promise<readonly KubernetesObject[]> {
  const before = await readPreviousVersion();
  if (before === undefined) return [];
  const input = utf8(formatDocuments([...before.objects, ...before.customResources]));
  const output = await callPlugin(component, 'upgrade', flow, { args: [before.version], input });
  const label = labelOf(component);
  const printed = await refused('plugin-failed', label, () => parseDocuments(output, 'output of upgrade'));
  return printed.map((object) => successorOf(object, before, label));
}

function successorOf(object: KubernetesObject, { customResources }: PreviousVersion, label: string): KubernetesObject {
  const key = keyOf(object);
  const before = customResources.find((one) => keyOf(one) === key);
  if (before === undefined) {
    const { name, namespace } = object.metadata;
    const words = `${object.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
    throw new SolpackError(
      'plugin-failed',
      label,
      `upgrade printed ${words}, which is not one of its input custom resources`,
      {
        hint: 'upgrade only changes custom resources that others have made; run prints the objects of the Solution',
      },
    );
  }
  const { uid, generation } = before.metadata as { uid?: unknown; generation?: unknown };
  return { ...object, metadata: { ...object.metadata, uid, generation } };
}

function keyOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): string {
  return JSON.stringify([groupOf({ apiVersion }), kind, namespace ?? null, name]);
}
