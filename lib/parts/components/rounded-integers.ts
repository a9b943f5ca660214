import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { coarseIntegers, roundedFrom } from '../../../formats/manifest/rounded-integers.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { listFiles } from './files.ts';
import type { StatedObject } from './kind.ts';

/** Fields of schemas that are floats in Kubernetes' API itself (apiextensions.k8s.io/v1, JSONSchemaProps). */
const bounds = /\.(?:maximum|minimum|multipleOf)$/;

/**
 * Makes sure that kustomize kept the integers of the files in `folder`: it makes floats of all numbers of an object
 * that an operation of JSON 6902 is for. Throws `component-invalid` for one that became another.
 */
export async function requireUnrounded(
  component: string,
  stated: readonly StatedObject[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const found = stated.flatMap(({ object }) =>
    coarseIntegers(object)
      .filter(({ path }) => object.kind !== 'CustomResourceDefinition' || !bounds.test(path))
      .map((one) => ({ ...one, object })),
  );
  if (found.length === 0) return;
  const texts = [];
  for (const { origin } of await listFiles(folder, folder, { signal })) {
    if (origin !== undefined) texts.push(Buffer.from(await readFile(origin)).toString('latin1'));
  }
  const text = texts.join('\n');
  for (const { value, path, object } of found) {
    const meant = roundedFrom(value, text);
    if (meant !== undefined) throw rounded(component, `${path} of ${wordsOf(object)}`, meant, value);
  }
}

function rounded(component: string, place: string, meant: string, value: number): SolpackError {
  const message = `kustomize turns ${meant} into ${value}, in ${place}: it treats all numbers as floats if a patch is a list of operations`;
  return new SolpackError('component-invalid', component, message, {
    hint: 'write the patch as a partial object, or the number into the object itself',
  });
}

function wordsOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
