import type { RepeatedKey } from '../../../formats/manifest/yaml.ts';

/** Most repeated keys of a text that are reported. */
const TOLD = 3;

/**
 * Tells in words which keys stand twice in a text, whose name is `name`, and what becomes of them, as `example` does
 * it.
 */
export function repeatedKeys(name: string, repeated: readonly RepeatedKey[], example: string = 'Helm'): string {
  const keys = repeated
    .slice(0, TOLD)
    .map(({ key, before, line }) => `${JSON.stringify(key)} in lines ${before} and ${line}`);
  const more = repeated.length > TOLD ? [`${repeated.length - TOLD} more`] : [];
  return `${name} has duplicate keys: ${[...keys, ...more].join(', ')}; the last one counts, as with ${example}`;
}
