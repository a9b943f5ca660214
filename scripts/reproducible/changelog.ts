const UNRELEASED = '## Unreleased\n';

/**
 * Returns a changelog in which what was unreleased belongs to `version`, of the day of `date`. Throws where nothing is
 * unreleased, or where that version was released before.
 */
export function cutChangelog(text: string, version: string, date: Date): string {
  const start = text.indexOf(`\n${UNRELEASED}`) + 1;
  if (start === 0) throw new Error('CHANGELOG.md has no "## Unreleased"');
  if (releasedOn(text, version))
    throw new Error(`CHANGELOG.md has ${version} already: package.json needs the next one`);
  const rest = text.slice(start + UNRELEASED.length);
  if (!/^\s*(?:###|-|\w)/.test(rest)) throw new Error('CHANGELOG.md tells of nothing that is unreleased');
  return `${text.slice(0, start)}## ${version} - ${dayOf(date)}\n${rest}`;
}

/** The day on which a changelog says that `version` was released; undefined where it does not. */
export function releasedOn(text: string, version: string): Date | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`## ${version} - `));
  return line === undefined ? undefined : new Date(`${line.slice(-10)}T00:00:00Z`);
}

/** A date as `2026-01-31`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
