import { join } from 'node:path';
import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { lackingForControlPlane, startControlPlane } from '../../scripts/control-plane/index.ts';
import { issue } from '../../scripts/node/certificates.ts';
import { writeCertificateKubeconfig } from '../../scripts/node/kubeconfig.ts';
import { type Outcome, ok, run, type ShellOptions } from './judges.ts';

/**
 * A real API server with its etcd and Kubernetes' controllers on this machine, which needs no root: objects are stored,
 * checked, owned and removed as in any cluster, but no node is there, so that no Pod ever runs.
 */
export interface ControlPlane extends AsyncDisposable {
  /** The folder that all of its files lie in; gone when it is. */
  readonly state: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Runs kubectl as the administrator; it has to succeed. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** The same with more to say, such as an input, to its end, however that is. */
  tried(args: readonly string[], options?: ShellOptions): Promise<Outcome>;
  /** Writes a kubeconfig of a user who may do nothing until the test adds RBAC rules; returns its path. */
  userKubeconfig(user: string): Promise<string>;
  /** Ends the API server without a word, lets `meanwhile` pass, and starts it again; resolves when it answers. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
}

/**
 * A test that needs a control plane. Where none can be started the test is named in the closing list "not judged here";
 * with SOLPACK_REQUIRE_TOOLS=1 it fails. `timeout` is in milliseconds.
 */
export function controlPlaneTest(
  name: string,
  work: (context: TestContext) => Promise<void> | void,
  timeout = 600_000,
): void {
  test(name, { timeout }, async (context) => {
    const lacks = lackingForControlPlane();
    if (lacks.length === 0) return work(context);
    const note = `needs ${lacks.join(', ')}`;
    if (process.env['SOLPACK_REQUIRE_TOOLS'] === '1') throw new Error(`not judged: ${note}; run npm test with Go`);
    context.skip(note);
  });
}

/**
 * One control plane for all tests of a file, started before them and ended after them, where one can be started at all.
 * Call it at the top level of a test file, and what it returns inside of tests of `controlPlaneTest`.
 */
export function sharedControlPlane(): () => ControlPlane {
  let plane: ControlPlane | undefined;
  beforeAll(async () => {
    if (lackingForControlPlane().length === 0) plane = await start();
  });
  afterAll(() => plane?.[Symbol.asyncDispose]());
  return () => {
    if (!plane) throw new Error('the control plane is there in tests of controlPlaneTest only, once they run');
    return plane;
  };
}

async function start(): Promise<ControlPlane> {
  const { paths, url, restart, end } = await startControlPlane();
  const env = { KUBECONFIG: paths.kubeconfig };
  let users = 0;
  return {
    state: paths.state,
    kubeconfig: paths.kubeconfig,
    kubectl: (...words) => ok('kubectl', words, { env }),
    tried: (words, options) => run('kubectl', words, { ...options, env }),
    userKubeconfig: async (user) => {
      users += 1;
      const file = join(paths.state, `user-${users}.kubeconfig`);
      await issue(paths, `user-${users}`, { name: user });
      writeCertificateKubeconfig(paths, file, user, `user-${users}`, url);
      return file;
    },
    restart,
    [Symbol.asyncDispose]: end,
  };
}
