import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBundle } from '../../formats/sigstore/bundle.ts';
import type { Flow } from '../../lib/kernel/events/flow.ts';
import { pathFolders } from '../../lib/kernel/events/host.ts';
import { loadPrivateKey, loadPublicKey, type Signer, signRoot } from '../../lib/parts/trust/index.ts';
import { signStatementBy } from '../../lib/parts/trust/statements.ts';

/** What signs: a private key, or a command that has one, with its public half. */
export interface SigningOptions {
  readonly key: string;
  readonly passphraseFile: string | undefined;
  readonly signer: string | undefined;
}

/** Opens what signs. Throws `key-invalid`, as `solpack sign` does. */
export async function releaseSigner({ key, passphraseFile, signer }: SigningOptions): Promise<Signer> {
  if (signer === undefined) {
    const given = passphraseFile === undefined ? undefined : readFileSync(passphraseFile, 'utf8').split('\n')[0];
    return loadPrivateKey(key, async () => given ?? process.env['SOLPACK_PASSPHRASE']);
  }
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { public: await loadPublicKey(key), command: signer, cwd: process.cwd(), env };
}

/**
 * Signs the sums, and the provenance, of a release: Sigstore bundles, and the bare signature of the sums for OpenSSL.
 */
export async function signRelease(folder: string, signer: Signer): Promise<void> {
  const flow: Flow = {
    signal: new AbortController().signal,
    onEvent: () => undefined,
    host: { path: pathFolders(process.env['PATH']), temp: tmpdir() },
  };
  const bundle = await signRoot(readFileSync(join(folder, 'SHA256SUMS')), signer, flow);
  writeFileSync(join(folder, 'SHA256SUMS.sigstore.json'), bundle);
  writeFileSync(join(folder, 'SHA256SUMS.sig'), parseBundle(bundle).signature);
  const statement = readFileSync(join(folder, 'provenance.json'));
  writeFileSync(join(folder, 'provenance.sigstore.json'), await signStatementBy(statement, signer, flow));
}
