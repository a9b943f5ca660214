/**
 * Returns the plural name of a kind by the rule that Kubernetes' own kinds follow (`meta.UnsafeGuessKindToResource`).
 */
export function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('endpoints')) return name;
  if (/(?:s|x|ch|sh)$/.test(name)) return `${name}es`;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}
