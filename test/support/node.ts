import { join } from 'node:path';
import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { type ClusterNode, startCluster, startNode as startClusterNode } from '../../scripts/node/index.ts';
import { nodeLacks } from '../../scripts/node/needs.ts';
import type { Running } from './cli.ts';
import { find, type Outcome, type ShellOptions } from './judges.ts';
import { type Begun, beginInside, runInside, startInside } from './node/processes.ts';

const bin = join(import.meta.dirname, '../../cli/bin.js');

/**
 * A running Kubernetes node that nothing leads out of. Programs run inside of it see its network and its processes, and
 * the same files as the test; KUBECONFIG is the administrator's for all but solpack, which has to be reported.
 */
export interface TestNode extends AsyncDisposable {
  /** The name of its Node object, and the address by which the other nodes of its lab reach it. */
  readonly name: string;
  readonly address: string;
  /** The folder that all of the node's files lie in; gone when the node is. */
  readonly state: string;
  /** The node's first process, and the one outside that looks after the node. */
  readonly pid: number;
  readonly keeper: number;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** containerd's `config_path`, which `--hosts-dir` is given. */
  readonly hostsDir: string;
  /** Runs a program inside the node to its end. */
  run(program: string, args: readonly string[], options?: ShellOptions): Promise<Outcome>;
  /** The same for one that has to succeed; returns what it printed on stdout. */
  ok(program: string, args: readonly string[], options?: ShellOptions): Promise<string>;
  /** Starts a program inside the node that runs until it is stopped, and waits for its first line on stdout. */
  start(program: string, args: readonly string[], options?: ShellOptions): Promise<Running>;
  /** Runs solpack inside the node. */
  solpack(args: readonly string[], options?: ShellOptions): Promise<Outcome>;
  /** The same where it has to succeed; returns what it printed on stdout. */
  succeeds(args: readonly string[], options?: ShellOptions): Promise<string>;
  /** Starts a solpack that runs until it is stopped, such as `serve`. */
  serves(args: readonly string[], options?: ShellOptions): Promise<Running>;
  /**
   * Starts a program, solpack if it is left out, that the test looks at and disturbs; its standard input stays open.
   */
  begins(
    args: readonly string[],
    options?: ShellOptions & { readonly program?: string; readonly onLine?: Parameters<typeof beginInside>[3] },
  ): Begun;
  /** Runs kubectl as the administrator; it has to succeed. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** `kubectl get … -o json`, parsed: `node.get<Deployment>('deployment', 'web')`. */
  get<T>(...args: readonly string[]): Promise<T>;
  /** Writes a kubeconfig of a user who may do nothing until the test adds RBAC rules; returns its path. */
  userKubeconfig(user: string, groups?: readonly string[]): Promise<string>;
  /** What a program of the node has logged: `kubelet`, `containerd`, `etcd`, `kube-apiserver` and so on. */
  logs(program: string): string;
}

/** Starts a node and waits until it is Ready; it ends when it is disposed, or with the process of the test. */
export async function startNode(): Promise<TestNode> {
  return testNode(await startClusterNode());
}

function testNode(node: ClusterNode): TestNode {
  const admin = (options: ShellOptions = {}): ShellOptions => ({
    ...options,
    env: { KUBECONFIG: node.kubeconfig, ...options.env },
  });
  const run: TestNode['run'] = (program, args, options) => runInside(node, program, args, admin(options));
  const ok: TestNode['ok'] = async (program, args, options) =>
    succeeded([program, ...args], await run(program, args, options));
  const solpack: TestNode['solpack'] = (args, options) => runInside(node, process.execPath, [bin, ...args], options);
  return {
    name: node.name,
    address: node.address,
    state: node.state,
    pid: node.pid,
    keeper: node.keeper,
    kubeconfig: node.kubeconfig,
    hostsDir: node.hostsDir,
    run,
    ok,
    start: (program, args, options) => startInside(node, program, args, admin(options)),
    solpack,
    succeeds: async (args, options) => succeeded(['solpack', ...args], await solpack(args, options)),
    serves: (args, options) => startInside(node, process.execPath, [bin, ...args], options),
    begins: (args, { program, onLine = () => undefined, ...options } = {}) => {
      const words = program === undefined ? [bin, ...args] : args;
      return beginInside(node, program ?? process.execPath, words, onLine, options);
    },
    kubectl: (...args) => ok('kubectl', args),
    get: async (...args) => JSON.parse(await ok('kubectl', ['get', ...args, '-o', 'json'])),
    userKubeconfig: node.userKubeconfig,
    logs: node.logs,
    [Symbol.asyncDispose]: node.stop,
  };
}

/**
 * A test that needs a node. Where none can be started the test is named in the closing list "not judged here"; with
 * SOLPACK_REQUIRE_TOOLS=1 it fails. `timeout` is in milliseconds.
 */
export function nodeTest(name: string, work: (context: TestContext) => Promise<void> | void, timeout = 600_000): void {
  test(name, { timeout }, async (context) => {
    const lacks = lacking();
    if (lacks.length === 0) return work(context);
    const note = `needs ${lacks.join(', ')}`;
    if (process.env['SOLPACK_REQUIRE_TOOLS'] === '1') throw new Error(`not judged: ${note}; run npm run node as root`);
    context.skip(note);
  });
}

/**
 * One node for all tests of a file, started before them and ended after them, where a node can be started at all. Call
 * it at the top level of a test file, and what it returns inside of tests of `nodeTest`.
 */
export function sharedNode(): () => TestNode {
  const nodes = sharedCluster(0);
  return () => nodes()[0];
}

/** The same for a node with a control plane and `workers` without one, in one closed network. */
export function sharedCluster(workers: number): () => Lab {
  let lab: Lab | undefined;
  beforeAll(async () => {
    if (lacking().length > 0) return;
    const [control, ...others] = await startCluster({ workers });
    lab = [testNode(control), ...others.map(testNode)];
  });
  afterAll(() => lab?.[0][Symbol.asyncDispose]());
  return () => {
    if (!lab) throw new Error('the nodes are there in tests of nodeTest only, once they run');
    return lab;
  };
}

/** The nodes of a lab; the first one has the control plane. */
export type Lab = readonly [control: TestNode, ...workers: TestNode[]];

let lacks: readonly string[] | undefined;

function lacking(): readonly string[] {
  lacks ??= [...nodeLacks(), ...(find('kubectl') ? [] : ['kubectl'])];
  return lacks;
}

function succeeded(words: readonly string[], { code, stdout, stderr }: Outcome): string {
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  return stdout;
}
