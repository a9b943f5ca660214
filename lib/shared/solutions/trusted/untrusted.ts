import type { FindingCode } from '../../../kernel/content/index.ts';
import { SolpackError } from '../../../kernel/events/index.ts';

/** What is found of something that too few have signed. */
export const unsignedCodes: ReadonlySet<FindingCode> = new Set(['signature-untrusted', 'threshold-unmet']);

/** Makes the error `not-trusted` of an archive, or of several, from all that was found against it. */
export function untrusted(
  path: string,
  refusals: readonly { code: string; subject: string; message: string }[],
): SolpackError {
  const downgraded = refusals.length === 1 && refusals[0]!.code === 'downgrade';
  const words = refusals.map(({ code, subject, message }) => `${subject}: ${message} (${code})`);
  return new SolpackError('not-trusted', path, words.join('; '), {
    hint: downgraded
      ? 'install the newer release, or give --allow-downgrade'
      : 'ask its publisher for an archive that the policy trusts, or the owner of the policy for another one',
  });
}
