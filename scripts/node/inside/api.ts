import { readFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { authority } from '../certificates.ts';
import { type Paths, server } from '../state.ts';

/** What answers when the node is asked for something: the body, or undefined unless the status is 200. */
export type Ask = (path: string) => Promise<string | undefined>;

/** Asks the API server as the user whose token this is. */
export function apiServer(paths: Paths, token: string): Ask {
  const ca = readFileSync(authority(paths));
  return (path) => answer(secure(`${server}${path}`, { ca, headers: { authorization: `Bearer ${token}` } }));
}

/** Asks a server of a program that speaks plain HTTP. */
export const local: Ask = (url) => answer(plain(url));

function answer(request: ReturnType<typeof plain>): Promise<string | undefined> {
  return new Promise((settle) => {
    // A server that is not there yet is one that gave no answer yet.
    request.on('error', () => settle(undefined));
    request.setTimeout(5_000, () => request.destroy());
    request.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('error', () => settle(undefined));
      response.on('end', () => settle(response.statusCode === 200 ? body : undefined));
    });
    request.end();
  });
}
