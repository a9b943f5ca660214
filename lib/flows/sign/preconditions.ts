import { shellWord } from '../../../formats/shell-word.ts';
import type { Finding } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { judgeSignatures, type PublicKey } from '../../parts/trust/index.ts';

/**
 * Throws `verification-failed` where there are `findings` about `subject`: nobody should sign what does not fit
 * together.
 */
export function requireSound(subject: string, findings: readonly Finding[]): void {
  // What is wrong with signatures is no reason not to sign, nor that nobody vouches for a medium: who signs does.
  const [first, ...more] = findings.filter(
    ({ code }) => code !== 'signature-invalid' && code !== 'attestation-invalid' && code !== 'unproved',
  );
  if (!first) return;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
  throw new SolpackError('verification-failed', subject, `${first.subject}: ${first.message}${rest}`, {
    hint: `"solpack verify ${shellWord(subject)}" lists all of it; nothing was signed`,
  });
}

/** Returns whether a slot has a valid signature of `root` by `key`. */
export function isSignedBy(root: Uint8Array, slot: Uint8Array, key: PublicKey): boolean {
  return judgeSignatures(root, [slot], [key]).trusted.length > 0;
}

/** Throws `archive-invalid` where an archive is a folder: only files have slots that can be written in place. */
export function requireFile({ path, carrier }: Pick<Archive, 'path' | 'carrier'>): void {
  if (carrier) return;
  throw new SolpackError('archive-invalid', path, 'is a folder, which has no slots to sign in', {
    hint: 'sign the file that was mounted or extracted there, or write the signature to a file with --output',
  });
}
