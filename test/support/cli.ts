import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { buildImage, type TestImage, writeLayout } from './image.ts';
import { type Outcome, run, type ShellOptions, toolFolder } from './judges.ts';
import { solpackWords, type Words } from './under-test.ts';

/** Runs solpack as a user does, in the form that is tested or in another. */
export function solpack(
  args: readonly string[],
  options: ShellOptions = {},
  [program, ...words]: Words = solpackWords,
): Promise<Outcome> {
  return run(program, [...words, ...args], options);
}

/** Runs solpack, which has to end well, and returns what it printed on stdout. */
export async function succeeds(args: readonly string[], options: ShellOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await solpack(args, options);
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
}

/** A solpack that runs until it is stopped. */
export interface Running extends AsyncDisposable {
  /** The first line that it printed on stdout. */
  readonly first: string;
  /** What it has printed on stderr so far. */
  said(): string;
  /** Sends a signal, waits for the end and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** Starts solpack and waits for its first line on stdout. */
export async function starts(
  args: readonly string[],
  options: ShellOptions = {},
  [program, ...words]: Words = solpackWords,
): Promise<Running> {
  const env = { ...process.env, PATH: `${toolFolder}${delimiter}${process.env['PATH']}`, ...options.env };
  const child: ChildProcess = spawn(program, [...words, ...args], { cwd: options.cwd, env });
  return running(child, ['solpack', ...args], (signal) => child.kill(signal));
}

/** Waits for the first line of a program that was started; `kill` is how it is sent a signal. */
export async function running(
  child: ChildProcess,
  words: readonly string[],
  kill: (signal: NodeJS.Signals) => void,
): Promise<Running> {
  const ended = new Promise<number>((settle) => child.on('close', (code) => settle(code ?? 128)));
  let err = '';
  const first = await new Promise<string>((settle, reject) => {
    let out = '';
    child.stderr?.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) settle(out.slice(0, out.indexOf('\n')));
    });
    child.on('error', reject);
    ended.then((code) => reject(new Error(`${words.join(' ')} ended with ${code}: ${err}`)), reject);
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number> => {
    kill(signal);
    return ended;
  };
  return {
    first,
    said: () => err,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL');
    },
  };
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** What a small Solution is called, and its images. */
export interface SmallSolution {
  readonly name?: string;
  readonly version?: string;
  readonly seed?: string;
  /** Where its images are, below `registry.example.com`. Left out: its name. */
  readonly repository?: string;
  /** Left out: its version. */
  readonly tag?: string;
  /** Whether its images are said to be kept on purpose, so that no note tells that no component names them. */
  readonly keep?: boolean;
}

/** A small Solution in `folder`: two images that share content, and two components of manifests. */
export async function smallSolution(
  folder: string,
  { name = 'hello', version = '1.0.0', seed = '', repository = name, tag = version, keep = false }: SmallSolution = {},
): Promise<{ web: TestImage; job: TestImage }> {
  const platforms = ['linux/amd64', 'linux/arm64'];
  const kept = keep ? '\nkeep = true' : '';
  const web = buildImage({ platforms, seed: `web ${version}${seed}`, files: { 'etc/shared': 'shared by both\n' } });
  const job = buildImage({
    platforms: ['linux/amd64'],
    seed: `job ${version}`,
    files: { 'etc/shared': 'shared by both\n' },
  });
  await writeLayout(join(folder, 'images'), [
    { name: `registry.example.com/${repository}/web:${tag}`, image: web },
    { name: `registry.example.com/${repository}/job:${tag}`, image: job },
  ]);
  writeFiles(folder, {
    'solution.toml': `name = "${name}"
version = "${version}"

[[images]]
reference = "registry.example.com/${repository}/web:${tag}"
source = "oci:images:registry.example.com/${repository}/web:${tag}"${kept}

[[images]]
reference = "registry.example.com/${repository}/job:${tag}"
source = "oci:images:registry.example.com/${repository}/job:${tag}"${kept}

[[components]]
name = "web"
kind = "manifests"
path = "web"
namespace = "${name}"
after = ["base"]

[[components]]
name = "base"
kind = "manifests"
path = "base.yaml"
`,
    'base.yaml': `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n`,
    'web/pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: registry.example.com/${repository}/web:${tag}
`,
  });
  return { web, job };
}
