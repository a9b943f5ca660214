import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The process that listens on a port of this machine. */
export function listenerOn(port: string): number {
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, local, , state]) =>
        state === '0A' && local?.endsWith(`:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`),
    )?.[9];
  const found = execFileSync('sh', [
    '-c',
    `ls -l /proc/[0-9]*/fd 2>/dev/null | awk '/^\\/proc/ {at = $0} /socket:\\[${inode}\\]/ {print at}'`,
  ]);
  return Number(/\/proc\/([0-9]+)\//.exec(found.toString())?.[1]);
}

/** A field of a process's `/proc` file. */
export function fieldOf(pid: number, file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+([0-9]+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1]);
}
