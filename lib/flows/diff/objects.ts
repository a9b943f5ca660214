import { type FieldDifference, fieldDifferences } from '../../../formats/manifest/differences.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { groupKindOf, withNamespace } from '../../../formats/manifest/namespace.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';
import { distinctObjects, objectWords } from '../../shared/rendering/index.ts';

/** An object in the namespace that it will have, with its component. */
export interface DiffedObject {
  readonly component: string;
  readonly object: KubernetesObject;
  readonly key: string;
}

/** An object that only one of two Solutions has. */
export interface NamedObject {
  readonly component: string;
  /** `Kind name`, or `Kind namespace/name`. */
  readonly object: string;
}

/** An object that both Solutions have, and that differs. */
export interface ChangedObject extends NamedObject {
  /** Without the values of Secrets. */
  readonly fields: readonly FieldDifference[];
}

/** The changes of objects. */
export interface ObjectChanges {
  readonly added: readonly NamedObject[];
  readonly removed: readonly NamedObject[];
  readonly changed: readonly ChangedObject[];
}

/** Lists the objects of a Solution in the order of application. Throws `object-conflict`. */
export function placed(solution: RenderedSolution): DiffedObject[] {
  const [{ components }] = distinctObjects([solution]) as [RenderedSolution];
  const known = components.flatMap(({ objects }) => objects);
  return components.flatMap(({ name, objects }) =>
    withNamespace(objects, 'default', known).map((object) => ({
      component: name,
      object,
      key: objectWords(object, groupKindOf(object)),
    })),
  );
}

/**
 * Compares objects to the field. What differs between `after` and `again`, which is the same rendered anew, does not
 * count.
 */
export function compareObjects(
  before: readonly DiffedObject[],
  after: readonly DiffedObject[],
  again: readonly DiffedObject[],
): ObjectChanges {
  const [old, now, anew] = [byKey(before), byKey(after), byKey(again)];
  return {
    added: after.filter(({ key }) => !old.has(key)).map(named),
    removed: before.filter(({ key }) => !now.has(key)).map(named),
    changed: after.flatMap((one): ChangedObject[] => {
      const other = old.get(one.key);
      if (other === undefined) return [];
      const drawn = new Set(fieldDifferences(one.object, anew.get(one.key)?.object).map(({ path }) => path));
      const fields = fieldDifferences(other.object, one.object).filter(({ path }) => !drawn.has(path));
      return fields.length === 0 ? [] : [{ ...named(one), fields: fields.map((field) => withoutSecrets(one, field)) }];
    }),
  };
}

function byKey(objects: readonly DiffedObject[]): ReadonlyMap<string, DiffedObject> {
  return new Map(objects.map((one) => [one.key, one]));
}

function named({ component, object }: DiffedObject): NamedObject {
  return { component, object: objectWords(object) };
}

/** Leaves out what may be secret. */
function withoutSecrets({ object }: DiffedObject, { path, ...values }: FieldDifference): FieldDifference {
  return object.kind === 'Secret' && !path.startsWith('metadata.labels') ? { path } : { path, ...values };
}
