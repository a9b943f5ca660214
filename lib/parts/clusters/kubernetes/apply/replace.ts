import { isOfReplaceableKind } from '../../../../../formats/manifest/replaceable.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import { isOurs } from '../memory/index.ts';
import { type LiveObject, nameOf, wordsOf } from '../server/index.ts';

/**
 * Decides whether an object may be deleted and made again to change an immutable field: solpack made it, and it holds
 * no data.
 */
export function isReplaceable(live: LiveObject): boolean {
  return isOfReplaceableKind(live) && isOurs(live);
}

/** Makes the error about an immutable field of an object that must not be deleted without being asked. */
export function unchangeable(live: LiveObject, error: Error): SolpackError {
  const { kind, name, namespace } = nameOf(live);
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  const others = isOurs(live) ? '' : ', or give it another name, because solpack did not make it';
  return new SolpackError('object-refused', wordsOf(nameOf(live)), `a field of it cannot change: ${error.message}`, {
    cause: error,
    hint: `if its contents may be lost, delete it with "kubectl delete ${kind.toLowerCase()} ${name}${place}" and run the same command again${others}`,
  });
}
