import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../home.ts';
import { releasedOn } from './changelog.ts';

/** The date of what was not released, the one that archives have by default. */
const UNRELEASED = new Date('1980-01-01T00:00:00Z');

/**
 * The date of everything that is built: SOURCE_DATE_EPOCH, or else the day on which CHANGELOG.md says that `version`
 * was released. No clock is read, so that the same sources give the same bytes.
 */
export function sourceDate(version: string): Date {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  if (epoch === undefined || epoch === '') {
    return releasedOn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version) ?? UNRELEASED;
  }
  if (!/^\d{1,10}$/.test(epoch)) throw new Error(`SOURCE_DATE_EPOCH is ${epoch}, where seconds since 1970 are needed`);
  return new Date(1000 * Number(epoch));
}
