import { encodeEcdsa } from '../../../formats/keys/ecdsa.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { type Flow, reasonOf, SolpackError } from '../../kernel/events/index.ts';
import { type ProgramEnd, runProgram } from '../../kernel/machine/index.ts';
import { isSignature, type PublicKey } from './keys.ts';

/** A key with which only a program can sign: one of an HSM, a smart card, a KMS. */
export interface CommandSigner {
  readonly public: PublicKey;
  /** What the shell runs. It gets the bytes to sign on standard input, and prints the signature. */
  readonly command: string;
  readonly cwd: string;
  /** The whole environment that the command gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds that a signature may take: somebody may have to find a card, and touch it. */
const PATIENCE = 10 * 60_000;

/** Bytes that a signature can have in any form, and more. */
const LIMIT = 16 * 1024;

/**
 * Has a command sign `message`. It prints the signature in DER (ECDSA), or as `r` and `s` (ECDSA, IEEE P1363), or as
 * its 64 bytes (Ed25519), or one of these in base64; which of them it is, is reported by what verifies. Throws
 * `tool-failed`.
 */
export async function signByCommand(message: Uint8Array, signer: CommandSigner, flow: Flow): Promise<Uint8Array> {
  const end = await run(message, signer, flow);
  if (end.code !== 0) {
    const how = end.timedOut
      ? 'did not end'
      : end.code === undefined
        ? `ended by ${end.signal}`
        : `ended with ${end.code}`;
    const said = end.last.length === 0 ? '' : `: ${end.last.join(' / ')}`;
    throw failed(signer, `${how}${said}`, 'run it by hand, with some file as its standard input');
  }
  const signature = signatureIn(message, end.stdout, signer.public);
  if (signature) return signature;
  throw failed(
    signer,
    `printed ${end.stdout.length} bytes, which are not a signature by key ${shortKey(signer.public.keyId)} of what it got`,
    'it has to sign with SHA-256 (ECDSA) or pure (Ed25519), and --key has to name the public half of its key',
  );
}

async function run(message: Uint8Array, signer: CommandSigner, flow: Flow): Promise<ProgramEnd> {
  const { command, cwd, env } = signer;
  try {
    return await runProgram('/bin/sh', ['-c', command], {
      cwd,
      env,
      timeout: PATIENCE,
      limit: LIMIT,
      signal: flow.signal,
      input: message,
      // It may ask for a PIN there.
      terminal: true,
      onLine: (line) => flow.onEvent({ type: 'notice', subject: '--signer', message: line }),
    });
  } catch (cause) {
    if (flow.signal.aborted) throw cause;
    throw failed(signer, `cannot be run: ${reasonOf(cause)}`, 'it is run by /bin/sh', cause);
  }
}

/** The signature in what a command printed, as bundles have it; undefined where nothing in it verifies. */
function signatureIn(message: Uint8Array, printed: Uint8Array, key: PublicKey): Uint8Array | undefined {
  const text = Buffer.from(printed).toString('latin1').replace(/\s+/g, '');
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? [Buffer.from(text, 'base64')] : [];
  const forms = [printed, ...decoded].flatMap((bytes) =>
    key.algorithm !== 'ed25519' && bytes.length === 64 ? [bytes, encodeEcdsa(bytes)] : [bytes],
  );
  return forms.find((form) => isSignature(form, message, key));
}

function failed({ command }: CommandSigner, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('tool-failed', `--signer '${command}'`, message, { hint, ...(cause ? { cause } : {}) });
}
