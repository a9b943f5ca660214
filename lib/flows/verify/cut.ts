import type { Finding } from '../../kernel/content/index.ts';

/** What the finding about a missing end is about. */
export const CUT = 'archive';

/** Returns whether findings say that an archive ends too early. */
export function isCut(findings: readonly Finding[]): boolean {
  return findings.some(({ code, subject }) => code === 'truncated' && subject === CUT);
}
