import { expect, test } from 'vitest';
import { solpackHere } from '../support/here.ts';
import { type Answer, answerTo } from './answers.ts';
import { PATIENCE } from './attack.ts';

/** A `serve` that is attacked. */
export interface Attacked extends AsyncDisposable {
  readonly url: string;
  /** What it has told so far. */
  said(): string;
  /** Asks for something below `/v2/`. */
  call(path: string, init?: RequestInit): Promise<Response>;
}

/** Starts `serve` in this process. */
export async function serving(cwd: string, ...args: string[]): Promise<Attacked> {
  const ending = new AbortController();
  const first = Promise.withResolvers<string>();
  let text = '';
  const ended = solpackHere(['serve', ...args, '--listen', '127.0.0.1:0'], {
    cwd,
    signal: ending.signal,
    onText: (more) => {
      text += more;
      const [url] = /^https?:\S+(?=\n)/m.exec(text) ?? [];
      if (url !== undefined) first.resolve(url);
    },
  });
  void ended.then(({ stderr }) => first.reject(new Error(`serve ended: ${stderr}`)));
  const url = await first.promise;
  return {
    url,
    said: () => text,
    call: (path, init) => fetch(`${url}/v2/${path}`, init),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await ended;
    },
  };
}

/** An attack of the table in docs/attacks.md "A client of `serve`", by the name that it has there. */
export function clientAttack(name: string, tries: (answer: Answer) => Promise<void>): void {
  const answer = answerTo(name);
  test(`${name}: ${answer.status ?? 'cut'} ${answer.code ?? ''}`.trimEnd(), () => tries(answer), PATIENCE);
}

/** That a reply is the one of the table. */
export async function expectAnswer(reply: Response, { status, code }: Answer): Promise<void> {
  const body = Buffer.from(await reply.arrayBuffer()).toString();
  expect([reply.status, reply.status < 400 ? undefined : JSON.parse(body).errors[0].code]).toEqual([status, code]);
}
