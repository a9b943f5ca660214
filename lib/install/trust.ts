import type { Archive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { PublicKey } from '../trust/index.ts';
import { verifyOpened } from '../verify/index.ts';

/**
 * Makes sure that an archive is what its root says and, where keys are given, that one of them has signed it; returns
 * the ids of those that have. Throws `verification-failed`, `not-trusted`.
 */
export async function requireVerified(
  archive: Archive,
  keys: readonly PublicKey[],
  flow: Flow,
): Promise<readonly string[]> {
  const { path } = archive;
  const { ok, trusted, findings, signers } = await verifyOpened(archive, path, keys, flow);
  const integrity = findings.filter(({ code }) => code !== 'signature-untrusted');
  const [first] = integrity;
  if (first) {
    const more = integrity.length > 1 ? ` (and ${integrity.length - 1} more)` : '';
    throw new SolpackError('verification-failed', path, `${first.subject}: ${first.message}${more}`, {
      hint: `"solpack verify ${path}" lists all of it; fetch the archive again`,
    });
  }
  if (trusted === false) {
    throw new SolpackError('not-trusted', path, findings[0]?.message ?? 'not signed by the given key', {
      hint: 'ask its publisher for a signed archive, or for the right public key',
    });
  }
  if (ok && trusted === undefined) {
    flow.onEvent({
      type: 'notice',
      subject: path,
      message: 'its bytes are intact, but nobody checked who made it: give --key',
    });
  }
  return signers;
}
