/** The day on which a changelog says that `version` was released; undefined where it does not. */
export function releasedOn(text: string, version: string): Date | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`## ${version} - `));
  return line === undefined ? undefined : new Date(`${line.slice(-10)}T00:00:00Z`);
}

/** A date as `2026-01-31`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
