import { isRecord } from '../record.ts';
import type { OperatorBundle } from './read.ts';

/** The namespace that a bundle is to be installed in, where nobody says another. */
export interface SuggestedNamespace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Returns where a bundle suggests to install its operator: what its annotations say, otherwise `<package>-system`
 * (Operator SDK, "Suggested namespace").
 */
export function suggestedNamespace({ operator, packageName }: OperatorBundle): SuggestedNamespace {
  const { annotations } = operator;
  const template = templateOf(annotations['operatorframework.io/suggested-namespace-template']);
  const name = annotations['operatorframework.io/suggested-namespace'] ?? template?.name ?? `${packageName}-system`;
  return { name, labels: template?.labels ?? {} };
}

function templateOf(
  value: string | undefined,
): { name: string | undefined; labels: Record<string, string> } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value ?? 'null');
  } catch {
    return undefined;
  }
  const metadata = isRecord(parsed) ? parsed['metadata'] : undefined;
  if (!isRecord(metadata)) return undefined;
  const { name, labels } = metadata;
  const texts = Object.entries(isRecord(labels) ? labels : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { name: typeof name === 'string' ? name : undefined, labels: Object.fromEntries(texts) };
}
