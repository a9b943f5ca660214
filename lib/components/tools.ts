import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type KubernetesObject, parseDocuments } from '../../formats/manifest/documents.ts';
import { refused, SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { findTool, type Host, run, unwritable } from '../host.ts';

const TIMEOUT = 120_000;

/** A folder that is gone once its scope is left. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes an empty folder for this run alone. Throws `output-unwritable` or `disk-full`. */
export async function temporaryFolder(host: Host): Promise<TemporaryFolder> {
  try {
    const path = await fs.mkdtemp(join(host.temp, 'solpack-'));
    return { path, [Symbol.asyncDispose]: () => fs.rm(path, { recursive: true, force: true }) };
  } catch (error) {
    throw unwritable(host.temp, error);
  }
}

/** How a program that prints Kubernetes objects is called. */
export interface Tool {
  /** Full path. */
  readonly program: string;
  readonly args: readonly string[];
  /** What is rendered, for errors. */
  readonly subject: string;
  /** What the user can do if it fails. */
  readonly hint: string;
  /** Variables beyond HOME and the like; `home` is an empty folder. */
  readonly env?: (home: string) => Readonly<Record<string, string>>;
}

/**
 * Runs a program and parses the objects it prints. Its home is an empty folder and nothing of the user's settings
 * reaches it. Throws `tool-failed`.
 */
export async function objectsFrom(tool: Tool, flow: Flow): Promise<KubernetesObject[]> {
  const ended = await lend(await temporaryFolder(flow.host), ({ path: home }) =>
    run(tool.program, tool.args, {
      cwd: home,
      env: { HOME: home, TMPDIR: home, KUBECONFIG: join(home, 'none'), LANG: 'C.UTF-8', ...tool.env?.(home) },
      timeout: TIMEOUT,
      signal: flow.signal,
    }),
  );
  if (ended.code !== 0) {
    const reason = ended.timedOut ? `did not end within ${TIMEOUT / 1000} s` : oneLine(ended.stderr, ended.code);
    throw new SolpackError('tool-failed', tool.subject, `${tool.program} ${tool.args[0] ?? ''}: ${reason}`, {
      hint: tool.hint,
    });
  }
  return refused(
    'tool-failed',
    tool.subject,
    () => parseDocuments(ended.stdout, `output for ${tool.subject}`),
    tool.hint,
  );
}

/** Builds the kustomization in `folder` with kubectl, or with kustomize where there is none. Throws `tool-missing`, `tool-failed`. */
export async function buildKustomization(folder: string, name: string, flow: Flow): Promise<KubernetesObject[]> {
  const hint = 'try "kubectl kustomize" on the component by hand';
  const kubectl = await findOptional(flow.host, 'kubectl');
  if (kubectl !== undefined) {
    return objectsFrom({ program: kubectl, args: ['kustomize', folder], subject: name, hint }, flow);
  }
  const kustomize = await findTool(flow.host, 'kustomize', 'install kubectl or kustomize, and have it on PATH');
  return objectsFrom({ program: kustomize, args: ['build', folder], subject: name, hint }, flow);
}

async function findOptional(host: Host, name: string): Promise<string | undefined> {
  try {
    return await findTool(host, name, '');
  } catch (error) {
    if (error instanceof SolpackError && error.code === 'tool-missing') return undefined;
    throw error;
  }
}

function oneLine(stderr: string, code: number): string {
  const text = stderr.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return text === '' ? `ended with code ${code}` : text.slice(0, 500);
}
