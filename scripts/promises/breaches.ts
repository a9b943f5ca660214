import type { Promised } from './promise.ts';
import { schemaBreaches } from './schema-breaches.ts';

/**
 * Schemas of what is not only printed, but read again too: a field that has to be there is new to whoever kept an older
 * one.
 */
const alsoRead: ReadonlySet<string> = new Set(['install-plan']);

/** Lists what of `now` breaks what was promised, each in a line that says where. Additions break nothing. */
export function breachesOf(kept: Promised, now: Promised): string[] {
  return [
    ...numberBreaches('exit code', kept.exits, now.exits),
    ...numberBreaches('exit code of error', kept.errors, now.errors),
    ...kept.findings.filter((code) => !now.findings.includes(code)).map((code) => `finding of ${code}: is gone`),
    ...Object.keys(kept.schemas).flatMap((id) => documentBreaches(id, kept, now)),
  ];
}

function numberBreaches(
  what: string,
  kept: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(kept)
    .filter(([name, code]) => now[name] !== code)
    .map(
      ([name, code]) => `${what} ${name}: was ${code} and ${now[name] === undefined ? 'is gone' : `is ${now[name]}`}`,
    );
}

function documentBreaches(id: string, kept: Promised, now: Promised): string[] {
  const [, name, version] = /([^:]+):(\d+)$/.exec(id)!;
  const same = now.schemas[id];
  if (same) return schemaBreaches(name!, kept.schemas[id]!, same, alsoRead.has(name!));
  return now.schemas[id.replace(/\d+$/, String(Number(version) + 1))]
    ? []
    : [`${id}: is gone, and no next version is there`];
}
