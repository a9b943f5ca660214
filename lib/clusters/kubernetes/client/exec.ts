import { spawn } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import type { KubeConfig, User } from '@kubernetes/client-node';
import type { SolpackError } from '../../../errors.ts';
import { codeOf, reasonOf } from '../../../system-errors.ts';
import { type ExecEntry, invalid, type Kubeconfig } from './kubeconfig.ts';

/** How `User.authProvider` calls a credential plugin here, so that none of the library's own claims it. */
export const PLUGIN = 'credential-plugin';

/** Milliseconds that a program has to print credentials. */
const LIMIT = 60_000;
/** How many characters of a program's own words are shown. */
const WORDS = 300;

type Authenticator = Parameters<KubeConfig['addAuthenticator']>[0];

/**
 * Authenticates with what a program prints (Kubernetes, "client-go credential plugins"). The library's `ExecAuth` keeps
 * the credentials until they expire; here its program also gets `KUBERNETES_EXEC_INFO`, no terminal, and an end.
 */
export async function execAuthenticator(
  kubeconfig: Kubeconfig,
  exec: ExecEntry,
  signal: AbortSignal,
): Promise<Authenticator> {
  const { ExecAuth } = await import('@kubernetes/client-node/dist/exec_auth.js');
  const state = { timedOut: false };
  const auth = new ExecAuth();
  Object.assign(auth, { execFn: starter(signal, state) });
  const entry = {
    ...exec,
    env: [...(exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: infoOf(kubeconfig, exec) }],
  };
  return {
    isAuthProvider: (user) => user.authProvider?.name === PLUGIN,
    applyAuthentication: async (user, options) => {
      if (exec.interactiveMode === 'Always') {
        throw failure(kubeconfig, exec, 'wants to ask a person, which is not possible here');
      }
      try {
        await auth.applyAuthentication({ ...user, exec: entry } as User, options as RequestOptions);
      } catch (error) {
        signal.throwIfAborted();
        throw failure(kubeconfig, exec, wordsOf(error, state.timedOut));
      }
    },
  };
}

/** Starts a program that cannot ask, and that is killed when its time is over. */
function starter(signal: AbortSignal, state: { timedOut: boolean }) {
  return (command: string, args: string[] | null | undefined, options: { env?: NodeJS.ProcessEnv }) => {
    const child = spawn(command, args ?? [], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const timer = setTimeout(() => {
      state.timedOut = true;
      child.kill('SIGKILL');
    }, LIMIT);
    child.once('error', () => clearTimeout(timer));
    child.once('exit', (_, killed) => {
      clearTimeout(timer);
      // What it had started may hold the pipes open, which would be waited for.
      if (killed !== null) for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    });
    return child;
  };
}

function infoOf({ server, cluster }: Kubeconfig, exec: ExecEntry): string {
  const info = {
    server: server.href,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] ?? undefined,
    'certificate-authority-data': cluster['certificate-authority-data'],
    'proxy-url': cluster['proxy-url'],
  };
  const spec = { interactive: false, ...(exec.provideClusterInfo ? { cluster: info } : {}) };
  return JSON.stringify({ apiVersion: exec.apiVersion, kind: 'ExecCredential', spec });
}

function wordsOf(error: unknown, timedOut: boolean): string {
  const code = codeOf(error);
  if (timedOut) return `did not end within ${LIMIT / 1000} s`;
  if (code === 'ENOENT') return 'is not on this machine';
  if (code !== undefined) return `cannot be run: ${reasonOf(error)}`;
  // The engine's message would repeat what was printed, and that may be a secret.
  if (error instanceof SyntaxError || error instanceof TypeError) return 'printed no ExecCredential with a status';
  const words = reasonOf(error)
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return words === '' ? 'failed without a word' : `failed: ${words.slice(0, WORDS)}`;
}

function failure({ path, who }: Kubeconfig, exec: ExecEntry, words: string): SolpackError {
  const message = `the program "${exec.command}", which the credentials of ${who} come from, ${words}`;
  return invalid(
    path,
    message,
    exec.installHint ?? 'run the program by hand, or use a kubeconfig with a client certificate',
  );
}
