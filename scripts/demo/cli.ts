import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../home.ts';

const cli = join(root, 'cli/bin.js');

/** Prints a solpack command line as a user types it, runs it in `folder`, and shows what it prints. */
export async function show(folder: string, args: readonly string[]): Promise<void> {
  announce(args);
  const text = await capture(folder, args);
  process.stdout.write(indent(text));
}

/** Runs a solpack command line in `folder` and returns what it prints on stdout; throws where it fails. */
export async function capture(folder: string, args: readonly string[]): Promise<string> {
  const child = launch(folder, args);
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const code = await ended(child);
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}`);
  return text;
}

/** Runs an install that holds its registry until `stop`; resolves once it has printed its result. */
export async function hold(
  folder: string,
  args: readonly string[],
): Promise<{ registry: string; stop(): Promise<void> }> {
  announce(args);
  const child = launch(folder, args);
  const finished = ended(child);
  const registry = await new Promise<string>((settle, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      process.stdout.write(indent(String(chunk)));
      const url = /\bat (http:\/\/\S+)/.exec(text)?.[1];
      if (url !== undefined) setTimeout(settle, 100, url);
    });
    finished.then((code) => reject(new Error(`solpack ${args.join(' ')} ended with ${code}`)), reject);
  });
  return {
    registry,
    stop: async () => {
      child.kill('SIGINT');
      await finished;
    },
  };
}

function announce(args: readonly string[]): void {
  console.log(`\n  $ solpack ${args.join(' ')}`);
}

function launch(folder: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [cli, ...args, '--quiet'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code) => settle(code ?? 128));
  });
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
