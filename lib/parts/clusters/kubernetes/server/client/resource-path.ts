import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { Resource } from '../api.ts';

/** Returns the path of a group and version: `/api/v1`, `/apis/apps/v1` (Kubernetes API concepts, "Resource URIs"). */
export function groupPath({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
}

/**
 * Returns the path of all objects of a kind, of those in `namespace`, or of the one called `name`. Throws
 * `object-refused` for names that no object can have.
 */
export function resourcePath(resource: Resource, where: { namespace?: string | undefined; name?: string }): string {
  const { namespace, name } = where;
  const within = resource.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : '';
  const one = name === undefined ? '' : `/${segment(name)}`;
  return `${groupPath(resource)}${within}/${segment(resource.plural)}${one}`;
}

function segment(value: string): string {
  // Encoding leaves dots alone, and a path with `..` is another path.
  if (/^\.{0,2}$/.test(value) || !value.isWellFormed()) {
    throw new SolpackError('object-refused', value, 'the API accepts no such name', { hint: 'correct the name' });
  }
  return encodeURIComponent(value);
}
