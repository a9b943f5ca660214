import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from '../../../formats/bytes.ts';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import {
  codeOf,
  type Flow,
  findInstalled,
  findTool,
  lend,
  reasonOf,
  refused,
  SolpackError,
} from '../../kernel/events/index.ts';
import { temporaryFolder } from '../../kernel/files/index.ts';
import { memoryWords, runProgram, toolWords, withinMemory, withoutNetwork } from '../../kernel/machine/index.ts';
import type { StatedObject } from './kind.ts';

/** Milliseconds that a program may run. */
const TIMEOUT = 120_000;
/** Most bytes that a program may print. */
const OUTPUT = 16 * 1024 * 1024;

/** How to run a program that prints Kubernetes objects. */
export interface Tool {
  /** Full path. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it renders, for errors. */
  readonly subject: string;
  /** The folder that the component was unpacked into: errors name files relative to it. */
  readonly folder?: string;
  /** What the user can do where it fails. */
  readonly hint: string;
  /** Variables besides HOME and the like; `home` is an empty folder. */
  readonly env?: (home: string) => Readonly<Record<string, string>>;
  /** A server of this machine that it may ask, and be connected to the network for, by a kubeconfig of its own. */
  readonly server?: string;
}

/**
 * Runs a program, and returns the text that it prints. Its home is an empty folder, so that no settings of the user
 * apply, its memory is bounded, and it has no network where the system can prevent that, unless it is to ask a server
 * of this machine. Throws `tool-failed`.
 */
export async function printedBy(tool: Tool, flow: Flow): Promise<string> {
  const lines: string[] = [];
  const alone = tool.server === undefined ? await withoutNetwork(flow.host, flow.signal) : [];
  const { before, env } = withinMemory();
  const [program = '', ...args] = [...before, ...alone, tool.program, ...tool.args];
  const ended = await lend(await temporaryFolder(flow.host), async ({ path: home }) => {
    const kubeconfig = join(home, 'kubeconfig');
    if (tool.server !== undefined) await fs.writeFile(kubeconfig, kubeconfigFor(tool.server), { mode: 0o600 });
    return runProgram(program, args, {
      cwd: home,
      env: { HOME: home, TMPDIR: home, KUBECONFIG: kubeconfig, LANG: 'C.UTF-8', ...env, ...tool.env?.(home) },
      timeout: TIMEOUT,
      limit: OUTPUT,
      signal: flow.signal,
      onLine: (line) => lines.push(line),
    });
  }).catch((error) => {
    throw error instanceof Error && codeOf(error) ? failed(tool, `cannot be run: ${reasonOf(error)}`) : error;
  });
  if (ended.timedOut) throw failed(tool, `did not end within ${TIMEOUT / 1000} s`);
  if (ended.tooMuch) throw failed(tool, `printed more than ${sizeWords(OUTPUT)}`);
  if (ended.code !== 0)
    throw failed(
      tool,
      memoryWords(lines) ?? (toolWords(lines, tool.folder) || `ended with ${ended.signal ?? `code ${ended.code}`}`),
    );
  return refused('tool-failed', tool.subject, () => text(ended.stdout, 'yaml-invalid'), tool.hint);
}

/**
 * Builds the kustomization in `folder` with kubectl, or with kustomize where there is no kubectl. Throws
 * `tool-missing`, `tool-failed`.
 */
export async function buildKustomization(folder: string, name: string, flow: Flow): Promise<StatedObject[]> {
  const hint = 'try "kubectl kustomize" on the component by hand';
  const kustomize = (await findInstalled(flow.host, 'kubectl')) ?? (await findInstalled(flow.host, 'kustomize'));
  if (kustomize !== undefined && basename(kustomize) === 'kustomize') {
    return built({ program: kustomize, args: ['build', folder], subject: name, folder, hint }, flow);
  }
  const program = await findTool(flow.host, 'kubectl', 'install kubectl or kustomize on PATH');
  return built({ program, args: ['kustomize', folder], subject: name, folder, hint }, flow);
}

async function built(tool: Tool, flow: Flow): Promise<StatedObject[]> {
  const printed = await printedBy(tool, flow);
  const { subject, hint } = tool;
  const objects = await refused('tool-failed', subject, () => parseDocuments(printed, `output for ${subject}`), hint);
  // kustomize does not say which of its files an object is from.
  return objects.map((object) => ({ object, source: undefined }));
}

/** A kubeconfig for a server that asks for no credentials. JSON is YAML. */
function kubeconfigFor(server: string): string {
  const name = 'lookup';
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: {} }],
  });
}

function failed({ program, args, subject, hint }: Tool, reason: string): SolpackError {
  return new SolpackError('tool-failed', subject, `${basename(program)} ${args[0] ?? ''}: ${reason}`, { hint });
}
