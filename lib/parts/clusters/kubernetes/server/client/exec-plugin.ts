import { z } from '../../../../../../formats/schema.ts';
import { sizeWords } from '../../../../../../formats/size-words.ts';
import { codeOf, reasonOf, type SolpackError } from '../../../../../kernel/events/index.ts';
import { type ProgramEnd, runProgram } from '../../../../../kernel/machine/index.ts';
import { type Kubeconfig, kubeconfigInvalid } from './kubeconfig.ts';
import { type ExecEntry, optional } from './kubeconfig-schema.ts';
import type { TlsMaterial } from './tls-material.ts';

/** How programs that print credentials are run. */
export interface ExecContext {
  /** The whole environment that an entry of a kubeconfig may add to: programs find keychains and accounts there. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What a program printed. */
export interface ExecCredential {
  readonly token: string | undefined;
  /** The client certificate and its key in PEM; undefined where it printed none. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Until when it is good, in milliseconds since 1970; undefined for as long as solpack runs. */
  readonly until: number | undefined;
}

/** Milliseconds that a program has to print credentials. */
const PATIENCE = 60_000;
/** The most that one may print, in bytes. */
const LIMIT = 1024 * 1024;
/** How many characters of a program's own words are shown. */
const WORDS = 300;

const schema = z.looseObject({
  status: z.looseObject({
    token: optional,
    clientCertificateData: optional,
    clientKeyData: optional,
    expirationTimestamp: optional,
  }),
});

/**
 * Makes a function that gives what the program of `exec` prints (Kubernetes, "client-go credential plugins":
 * client.authentication.k8s.io, v1 and v1beta1). The program is run anew once what it printed has expired. It gets no
 * terminal. The function throws `kubeconfig-invalid`. `material` is what the kubeconfig says of TLS.
 */
export function execPlugin(
  kubeconfig: Kubeconfig,
  exec: ExecEntry,
  { env, signal }: ExecContext,
): (material: TlsMaterial) => Promise<ExecCredential> {
  let held: ExecCredential | undefined;
  const run = async (material: TlsMaterial): Promise<ExecCredential> => {
    if (exec.interactiveMode === 'Always') {
      throw failure(kubeconfig, exec, 'wants to ask a person, which is not possible here');
    }
    const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
    const words: string[] = [];
    let end: ProgramEnd;
    try {
      end = await runProgram(exec.command, exec.args ?? [], {
        // Where solpack itself runs, as kubectl does it.
        cwd: '.',
        env: { ...env, ...own, KUBERNETES_EXEC_INFO: infoOf(kubeconfig, exec, material) },
        timeout: PATIENCE,
        limit: LIMIT,
        signal,
        onLine: (line) => words.push(line),
      });
    } catch (error) {
      signal.throwIfAborted();
      const why = codeOf(error) === 'ENOENT' ? 'is not on this machine' : `cannot be run: ${reasonOf(error)}`;
      throw failure(kubeconfig, exec, why);
    }
    if (end.timedOut) throw failure(kubeconfig, exec, `did not end within ${PATIENCE / 1000} s`);
    if (end.tooMuch) throw failure(kubeconfig, exec, `printed more than ${sizeWords(LIMIT)}`);
    if (end.code !== 0) throw failure(kubeconfig, exec, wordsOf(words));
    const printed = parseExecCredential(end.stdout);
    // What was printed is not repeated, because it may be a secret.
    if (!printed) throw failure(kubeconfig, exec, 'printed no ExecCredential with a status');
    return printed;
  };
  return async (material) => {
    if (!held || (held.until !== undefined && !(held.until > Date.now()))) held = await run(material);
    return held;
  };
}

/** Reads an `ExecCredential` in JSON; undefined where it is none, or has no status. */
export function parseExecCredential(bytes: Uint8Array): ExecCredential | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  const status = schema.safeParse(value).data?.status;
  if (!status) return undefined;
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status;
  return {
    token,
    certificate: clientCertificateData,
    key: clientKeyData,
    until: expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp),
  };
}

/** Returns what the program gets to know about the cluster, and about how it is called. */
function infoOf({ server, cluster }: Kubeconfig, exec: ExecEntry, { ca }: TlsMaterial): string {
  const info = {
    server: server.href,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] ?? undefined,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    'proxy-url': cluster['proxy-url'],
  };
  const spec = { interactive: false, ...(exec.provideClusterInfo ? { cluster: info } : {}) };
  return JSON.stringify({ apiVersion: exec.apiVersion, kind: 'ExecCredential', spec });
}

function wordsOf(lines: readonly string[]): string {
  const words = lines
    .join(' ')
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return words === '' ? 'failed without a message' : `failed: ${words.slice(0, WORDS)}`;
}

function failure({ path, who }: Kubeconfig, exec: ExecEntry, words: string): SolpackError {
  const message = `the program "${exec.command}", which the credentials of ${who} come from, ${words}`;
  return kubeconfigInvalid(
    path,
    message,
    exec.installHint ?? 'run the program by hand, or use a kubeconfig with a client certificate',
  );
}
