import { type DefinitionBreak, definitionBreaks } from '../../../formats/kubernetes/definition-breaks.ts';
import type { DiffedObject } from './objects.ts';

/** Finds the CustomResourceDefinitions of which the newer one breaks objects that the older one let store. */
export function compareDefinitions(
  before: readonly DiffedObject[],
  after: readonly DiffedObject[],
): (DefinitionBreak & { readonly definition: string })[] {
  const now = new Map(after.filter(isDefinition).map((one) => [one.key, one.object]));
  return before.filter(isDefinition).flatMap(({ key, object }) => {
    const newer = now.get(key);
    const breaks = newer
      ? definitionBreaks(object, newer)
      : [{ path: '', message: 'it is removed, and all objects of its kind with it' }];
    return breaks.map((found) => ({ definition: object.metadata.name, ...found }));
  });
}

function isDefinition({ object }: DiffedObject): boolean {
  return object.kind === 'CustomResourceDefinition';
}
