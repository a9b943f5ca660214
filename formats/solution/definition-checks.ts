import type { Problem } from '../document/problems.ts';
import { fieldKinds } from './component-kinds.ts';
import type { ComponentFields } from './component-schema.ts';
import type { ImageFields } from './image-schema.ts';
import type { Relations } from './relations.ts';

/** Finds names that are given twice. */
export function namedTwice(
  images: readonly { readonly reference: string }[],
  components: readonly { readonly name: string }[],
): Problem[] {
  const twice = (list: string, field: string, names: readonly string[]): Problem[] =>
    names.flatMap((name, index) =>
      names.indexOf(name) < index ? [{ path: `${list}.${index}.${field}`, message: `${name} is named twice` }] : [],
    );
  return [
    ...twice(
      'images',
      'reference',
      images.map((entry) => entry.reference),
    ),
    ...twice(
      'components',
      'name',
      components.map((entry) => entry.name),
    ),
  ];
}

/** Finds folders of components besides the first: an archive has one place for them. */
export function secondFolders(components: readonly ComponentFields[]): Problem[] {
  const first = components.findIndex(({ kind }) => kind === 'components.d');
  return components.flatMap(({ kind }, index) =>
    kind === 'components.d' && index > first
      ? [
          {
            path: `components.${index}.kind`,
            message: 'an archive has room for one components.d, but this is a second one',
          },
        ]
      : [],
  );
}

/** Finds fields of components that say nothing there, or contradict each other. */
export function misplacedFields(components: readonly ComponentFields[]): Problem[] {
  return components.flatMap((entry, index) => {
    const at = (field: string, message: string): Problem => ({ path: `components.${index}.${field}`, message });
    const wrong = Object.entries(fieldKinds)
      .filter(([field, kinds]) => isGiven(entry[field as keyof typeof fieldKinds]) && !isOneOf(kinds, entry.kind))
      .map(([field, kinds]) =>
        at(field, `only a component of kind ${kinds.join(' or ')} has ${field}, not ${entry.kind}`),
      );
    if (entry.channel !== undefined && !entry.path.startsWith('catalog:')) {
      wrong.push(at('channel', 'is about a catalog, but "path" does not begin with catalog:'));
    }
    if (entry.path.startsWith('catalog:') && entry.kind !== 'registry+v1') {
      wrong.push(at('path', `names a catalog, but only a component of kind registry+v1 can be taken from one`));
    }
    if (entry['create-namespace'] && entry.namespace === undefined) {
      wrong.push(at('create-namespace', 'asks to create a namespace, but "namespace" does not name it'));
    }
    return wrong;
  });
}

/** Finds namespaces that two components are to bring with different values of one label. */
export function contradictingNamespaces(components: readonly ComponentFields[]): Problem[] {
  const known = new Map<string, string>();
  return components.flatMap(({ namespace, 'create-namespace': own }, index) =>
    Object.entries(typeof own === 'object' ? (own.labels ?? {}) : {}).flatMap(([label, value]): Problem[] => {
      const key = `${namespace} ${label}`;
      const before = known.get(key) ?? value;
      known.set(key, before);
      const path = `components.${index}.create-namespace`;
      return before === value
        ? []
        : [{ path, message: `another component has ${label} = "${before}" for ${namespace}` }];
    }),
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function isOneOf(kinds: readonly string[], kind: string): boolean {
  return kinds.includes(kind);
}

/** Finds images that say how platforms are selected, and name none. */
export function misplacedSelect(images: readonly ImageFields[]): Problem[] {
  return images.flatMap(({ select, platforms }, index) =>
    select !== undefined && platforms === undefined
      ? [{ path: `images.${index}.select`, message: 'says how "platforms" are selected, but there are none' }]
      : [],
  );
}

/** Finds relations of a Solution with itself, and capabilities that it claims for itself and does not provide. */
export function wrongRelations(relations: Relations & { readonly name: string }): Problem[] {
  const { name, provides = {}, exclusive = [] } = relations;
  const own = (['requires', 'conflicts', 'replaces', 'recommends'] as const).flatMap((field) =>
    relations[field]?.[name] === undefined ? [] : [{ path: `${field}.${name}`, message: 'is the Solution itself' }],
  );
  const unprovided = exclusive.flatMap((capability, index) =>
    provides[capability] === undefined
      ? [{ path: `exclusive.${index}`, message: `${capability} is not in "provides"` }]
      : [],
  );
  return [...own, ...unprovided];
}
