import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../home.ts';
import { castText, type Output } from './cast.ts';

/** The terminal of a recording, in columns and rows. */
const terminal = { width: 104, height: 30 } as const;

/**
 * Runs a script of this project in a terminal, and keeps what it prints in `docs/recordings/NAME.cast`. It runs on a
 * machine of its own name that has no network but its loopback, so that a recording says nothing of where it was made.
 */
export async function record(name: string, title: string, script: string): Promise<void> {
  const quoted = `'${join(root, script)}'`;
  const alone = `hostname node-1; ip link set lo up; ip addr add 192.0.2.10/24 dev lo; ip route add default via 192.0.2.1 dev lo; stty cols ${terminal.width} rows ${terminal.height}; exec '${process.execPath}' ${quoted}`;
  const child = spawn('unshare', ['--uts', '--net', 'script', '-qec', `sh -c "${alone}"`, '/dev/null'], {
    cwd: root,
    env: { ...process.env, SOLPACK_PROGRESS: 'none', TERM: 'xterm-256color' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const begun = performance.now();
  const outputs: Output[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const at = Number(((performance.now() - begun) / 1000).toFixed(2));
    outputs.push({ at, text: text.replaceAll(`${root}/.cache/${name}/`, '') });
  });
  const code = await new Promise<number | null>((settle, fail) => child.on('close', settle).on('error', fail));
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${outputs.map(({ text }) => text).join('')}`);
  const said = outputs.map(({ text }) => text).join('');
  if (said.includes(root)) throw new Error(`the recording names ${root}`);
  writeFileSync(join(root, `docs/recordings/${name}.cast`), castText({ title, ...terminal, outputs }));
}
