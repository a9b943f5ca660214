import { readFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { authority } from '../certificates.ts';
import { type Paths, server } from '../state.ts';

/** Requests something of the node. Resolves to the body, or to undefined unless the status is 200. */
export type Ask = (path: string) => Promise<string | undefined>;

/** Requests from the API server as the user with this token. */
export function apiServer(paths: Paths, token: string, at: string = server): Ask {
  const ca = readFileSync(authority(paths));
  return (path) => answer(secure(`${at}${path}`, { ca, headers: { authorization: `Bearer ${token}` } }));
}

/** Requests from a server that speaks plain HTTP. */
export const local: Ask = (url) => answer(plain(url));

function answer(request: ReturnType<typeof plain>): Promise<string | undefined> {
  return new Promise((settle) => {
    // A server that does not run yet counts as one that has not answered yet.
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
