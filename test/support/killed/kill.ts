// Ends its process by SIGKILL at a moment that the environment names; loaded before a program:  node --import kill.ts PROGRAM
// SOLPACK_TEST_KILL is `step 7`: when the seventh line of a step is printed, or `change 3`: once the third request is answered
// that changes something; SOLPACK_TEST_HALT is the same for SIGSTOP. SOLPACK_TEST_MOMENTS names a file that all such moments are written into, one a line.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const { SOLPACK_TEST_KILL: kill, SOLPACK_TEST_HALT: halt } = process.env;
const [wanted = '', at = ''] = (kill || halt || '').split(' ');
const moments = process.env['SOLPACK_TEST_MOMENTS'];
const counts = { step: 0, change: 0 };

function passed(kind: keyof typeof counts, about: string): void {
  counts[kind] += 1;
  if (moments) appendFileSync(moments, `${kind} ${counts[kind]} ${about.trim()}\n`);
  if (kind === wanted && counts[kind] === Number(at)) process.kill(process.pid, kill ? 'SIGKILL' : 'SIGSTOP');
}

function watch(): void {
  const write = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
  process.stderr.write = (...args: unknown[]) => {
    const isTaken = write(...args);
    if (String(args[0]).startsWith('{"type":"step"')) passed('step', String(args[0]));
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
