import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, type TestContext, test } from 'vitest';

/** Programs that judge solpack's bytes and behaviour; `scripts/judges.ts` installs those it can. */
export const judges = [
  '7zz',
  'actionlint',
  'axe-core',
  'bash',
  'blkid',
  'bsdtar',
  'checkisomd5',
  'chromium',
  'containerd',
  'cosign',
  'crane',
  'curl',
  'docker-registry',
  'dpkg-query',
  'etcd',
  'fish',
  'fuseiso',
  'go',
  'helm',
  'implantisomd5',
  'isoinfo',
  'jq',
  'genisoimage',
  'git',
  'gitlab-ci-local',
  'kubectl',
  'losetup',
  'man',
  'mandoc',
  'nginx',
  'node-oldest',
  'npm',
  'olm-converter',
  'openssl',
  'oras',
  'podman',
  'python3',
  'referrers-registry',
  'registry',
  'rsync',
  'sha256sum',
  'script',
  'skopeo',
  'systemd-analyze',
  'tar',
  'tmux',
  'umoci',
  'versitygw',
  'xorriso',
  'zsh',
  'zstd',
] as const;

export type Judge = (typeof judges)[number];

/** Where the programs that the project's scripts install are kept; the runner puts it first on PATH. */
export const toolFolder: string = join(import.meta.dirname, '../../.cache/bin');

/** The full path of a judge, or undefined where this machine lacks it. */
export function find(judge: string): string | undefined {
  for (const folder of [toolFolder, ...(process.env['PATH'] ?? '').split(delimiter)]) {
    if (folder === '') continue;
    const path = join(folder, judge);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return undefined;
}

/**
 * A test that needs `needed`. Where one is absent the test is named in the closing list "not judged here"; with
 * SOLPACK_REQUIRE_TOOLS=1 it fails.
 */
export function judged(
  name: string,
  needed: readonly Judge[],
  work: (context: TestContext) => Promise<void> | void,
  timeout = 600_000,
): void {
  const absent = needed.filter((judge) => find(judge) === undefined);
  test(name, { timeout }, async (context) => {
    if (absent.length === 0) return work(context);
    const note = `needs ${absent.join(', ')}`;
    if (process.env['SOLPACK_REQUIRE_TOOLS'] === '1') throw new Error(`not judged: ${note}; run npm run judges`);
    context.skip(note);
  });
}

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export interface ShellOptions {
  cwd?: string;
  env?: Record<string, string>;
  input?: Uint8Array | string;
}

/** Runs a program to its end, in a locale that knows all names. Programs of `toolFolder` win over those of PATH. */
export function run(program: string, args: readonly string[], options: ShellOptions = {}): Promise<Outcome> {
  return new Promise((settle, reject) => {
    const own = { PATH: `${toolFolder}${delimiter}${process.env['PATH']}`, LC_ALL: 'C.UTF-8' };
    const env = { ...process.env, ...own, ...options.env };
    const child = spawn(find(program) ?? program, args, { cwd: options.cwd, env });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('error', reject);
    child.on('close', (code) =>
      settle({
        code: code ?? 128,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    );
  });
}

/** Runs a program that has to succeed, and returns what it printed on stdout. */
export async function ok(program: string, args: readonly string[], options: ShellOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  return stdout;
}

/** A folder of this test file's own, removed after its tests. Call it at the top level of a test file. */
export function scratch(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `solpack-${name}-`));
  // A program that was interrupted may still write into it.
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
