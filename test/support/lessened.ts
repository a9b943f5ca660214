import type { KubernetesObject } from '../../formats/manifest/object.ts';

/** The rules of a role without one verb of one of them. */
export function* lessened({ rules }: KubernetesObject): Generator<readonly [words: string, rules: unknown]> {
  const all = rules as readonly { readonly verbs: readonly string[] }[];
  for (const [index, rule] of all.entries()) {
    for (const verb of rule.verbs) {
      const rest = rule.verbs.filter((one) => one !== verb);
      const less = all.flatMap((one, place) =>
        place === index ? (rest.length > 0 ? [{ ...one, verbs: rest }] : []) : [one],
      );
      yield [`${index}-${verb}`, less];
    }
  }
}
