import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ok } from './judges.ts';

/**
 * Answers requests of git by `git http-backend` (RFC 3875), for the bare repositories below `root`. Returns whether the
 * request was one of git.
 */
export function answerGit(root: string, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (!/\/(?:info\/refs|git-upload-pack)$/.test(url.pathname)) return false;
  const child = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.on('close', () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf('\r\n\r\n');
    const lines = all.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    const { Status: status = '200', ...others } = headers;
    response.writeHead(Number.parseInt(status, 10), others).end(all.subarray(end + 4));
  });
  return true;
}

/** Runs git in a folder, as somebody who commits there. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return (await ok('git', [...who, '-C', folder, ...args])).trim();
}
