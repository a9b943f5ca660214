import { FormatError } from '../error.ts';
import { decodeUniqueJson } from '../json.ts';
import { z } from '../schema.ts';

/** The file of a chart that says what its values may be. */
export const SCHEMA_NAME = 'values.schema.json';

/** Keywords that lead to another schema, in some draft of JSON Schema. */
const references = ['$ref', '$dynamicRef', '$recursiveRef', '$schema'] as const;

/** The drafts of JSON Schema, which Helm has built in: nothing is fetched for them. */
const drafts = /^https?:\/\/json-schema\.org\/(?:draft-0[467]\/|draft\/20(?:19-09|20-12)\/)?schema(?:#|$)/;

/**
 * Refuses a schema of values that leads out of its document: Helm would read any file of the machine, and any address,
 * and report what stands there. A reference has to begin with `#`, or to be to a draft of JSON Schema itself. Each
 * `$ref` counts, wherever it is, because a pointer may lead there. Throws `FormatError` `chart-invalid`.
 */
export function checkValuesSchema(bytes: Uint8Array, name: string): void {
  const open: unknown[] = [decodeUniqueJson(bytes, z.unknown(), 'chart-invalid', name)];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key of references) {
      const target = (value as Record<string, unknown>)[key];
      if (typeof target !== 'string' || target.startsWith('#') || drafts.test(target)) continue;
      const shown = JSON.stringify(target.slice(0, 100));
      const message = `${name}: ${key} ${shown} leads out of the schema, to a document that is not read`;
      const way =
        'skip-schema-validation = true of the component turns off the check of values by the schemas of the chart';
      throw new FormatError('chart-invalid', `${message}; ${way}`);
    }
    for (const inner of Object.values(value)) open.push(inner);
  }
}
