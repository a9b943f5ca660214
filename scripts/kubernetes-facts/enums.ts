import type { Release } from './release.ts';

/**
 * Reads the values of enumerations from the Go sources of the OpenAPI documents, by `group.version.Type.field`; the
 * published documents lack them. What any of the releases takes counts, since a version of an API never loses one.
 */
export function enumsOf(releases: readonly Release[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { sources } of releases) {
    let type = '';
    let field = '';
    for (const line of sources.openApi().split('\n')) {
      type = /^func schema_\w*?([a-z]+_v\w+?_[A-Z]\w*)\(/.exec(line)?.[1]?.replaceAll('_', '.') ?? type;
      field = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? field;
      const values = /^\t{7,}Enum: +\[\]interface\{\}\{([^{}]*)\}/.exec(line)?.[1];
      if (values === undefined) continue;
      const key = `${type}.${field}`;
      const all = found.get(key) ?? new Set();
      for (const value of JSON.parse(`[${values}]`) as string[]) all.add(value);
      found.set(key, all);
    }
  }
  // A value with a space would end its field; the usages of certificates have such.
  const plain = [...found].filter(([, values]) => [...values].every((value) => /^[^ |()]*$/.test(value)));
  return new Map(plain.map(([key, values]) => [key, [...values].sort()]));
}
