// Ends its process by SIGKILL at a moment that the environment names; loaded before a program:  node --import kill.ts
// PROGRAM SOLPACK_TEST_KILL is `step 7`: when the seventh line of a step is printed, `check 1`: when the first line of
// such a step is, or `change 3`: once the third request is answered that changes something; SOLPACK_TEST_HALT is the
// same for SIGSTOP. SOLPACK_TEST_MOMENTS names a file that all such moments are written into, one a line.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const { SOLPACK_TEST_KILL: kill, SOLPACK_TEST_HALT: halt } = process.env;
const [wanted = '', at = ''] = (kill || halt || '').split(' ');
const moments = process.env['SOLPACK_TEST_MOMENTS'];
const counts = new Map<string, number>();

function passed(kind: string, about: string): void {
  const count = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, count);
  if (moments && (kind === 'step' || kind === 'change')) appendFileSync(moments, `${kind} ${count} ${about.trim()}\n`);
  if (kind === wanted && count === Number(at)) process.kill(process.pid, kill ? 'SIGKILL' : 'SIGSTOP');
}

function watch(): void {
  const write = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
  process.stderr.write = (...args: unknown[]) => {
    const isTaken = write(...args);
    const [, step] = /^\{.*"type":"step","step":"([a-z]+)"/.exec(String(args[0])) ?? [];
    if (step !== undefined) {
      passed('step', String(args[0]));
      passed(step, '');
    }
    return isTaken;
  };
  subscribe('http.client.response.finish', (message) => {
    const { method, path } = (message as { request: ClientRequest }).request;
    if (['PATCH', 'POST', 'PUT', 'DELETE'].includes(method) && !path.includes('dryRun') && !path.includes('reviews')) {
      passed('change', `${method} ${path.split('?')[0]}`);
    }
  });
}

if (isMainThread && (wanted || moments)) watch();
