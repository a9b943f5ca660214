import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';

/** What servers put around a value that they refuse. */
const quoted = [
  /(Invalid value: )(?:"(?:[^"\\]|\\.)*"|\{.*?\}|\[.*?\]|[^\s:"]+)/g,
  /(valueUnstructured\{Value:)(?:"(?:[^"\\]|\\.)*"|.*?\}+$|[^}]*)/g,
];
/** Values shorter than this would blank innocent words; they are blanked only where they are quoted as values. */
const SHORTEST = 4;

/** A function that blanks the values of a Secret in what a server says of it; undefined for every other kind. */
export function blankValues({ kind, data, stringData }: KubernetesObject): ((text: string) => string) | undefined {
  if (kind !== 'Secret') return undefined;
  const values = [data, stringData].flatMap(leaves).filter((value) => value.length >= SHORTEST);
  const decoded = leaves(data).map((value) => Buffer.from(value, 'base64').toString());
  // The longest first, so that none is blanked in part.
  const secrets = [...values, ...decoded.filter((value) => value.length >= SHORTEST)].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    const rest = quoted.reduce((part, pattern) => part.replace(pattern, '$1***'), text);
    return secrets.reduce((part, secret) => part.replaceAll(secret, '***'), rest);
  };
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null ? [] : [String(value)];
  return Object.values(value).flatMap(leaves);
}
