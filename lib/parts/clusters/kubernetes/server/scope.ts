import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import type { Discovery } from './api.ts';
import { fieldAt, listAt, textAt } from './object-path.ts';

/** Returns whether objects of a kind live in namespaces; undefined for an unknown kind. */
export type Scope = (apiVersion: string, kind: string) => boolean | undefined;

/** Decides whether an object defines a kind (apiextensions.k8s.io, CustomResourceDefinition). */
export function isDefinition({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return groupOf({ apiVersion }) === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

/** Returns the kind that a CustomResourceDefinition defines, as `group/Kind`; undefined for any other object. */
export function definedKind(object: KubernetesObject): string | undefined {
  if (!isDefinition(object)) return undefined;
  return `${textAt(object, 'spec', 'group')}/${textAt(object, 'spec', 'names', 'kind')}`;
}

/** Returns the apiVersions in which a CustomResourceDefinition has its kind served. */
export function servedVersions(definition: KubernetesObject): string[] {
  const served = listAt(definition, 'spec', 'versions').filter((entry) => fieldAt(entry, 'served') === true);
  return served.map((entry) => `${textAt(definition, 'spec', 'group')}/${textAt(entry, 'name')}`);
}

/** Looks up kinds: first those that `objects` define, then those that the server serves. */
export function scopeOf(objects: readonly KubernetesObject[], discovery: Discovery): Scope {
  const defined = new Map(objects.flatMap((object) => (isDefinition(object) ? [[definedKind(object)!, object]] : [])));
  return (apiVersion, kind) => {
    const definition = defined.get(`${groupOf({ apiVersion })}/${kind}`);
    // What is served now is not served any longer, unless the new definition serves it too.
    if (definition !== undefined) return scopeIn(definition, apiVersion);
    return discovery.find(apiVersion, kind)?.namespaced;
  };
}

function scopeIn(definition: KubernetesObject, apiVersion: string): boolean | undefined {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const isServed = servedVersions(definition).includes(`${textAt(definition, 'spec', 'group')}/${version}`);
  return isServed ? textAt(definition, 'spec', 'scope') !== 'Cluster' : undefined;
}
