// Requests a page again and again until standard input ends: node visitor.ts HOST PORT. The one line on stdout is a
// `Visits`.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { words } from '../home.ts';

/** The outcome of all requests: how many each title answered, and how many failed for each reason. */
export interface Visits {
  readonly answered: Record<string, number>;
  readonly failed: Record<string, number>;
}

/** Milliseconds between two requests, and until one counts as failed. */
const PAUSE = 20;
const PATIENCE = 2_000;

const [, , host = '', port = ''] = process.argv;
const visits: Visits = { answered: {}, failed: {} };
let leaving = false;
process.stdin.on('end', () => {
  leaving = true;
});
process.stdin.resume();

while (!leaving) {
  await page().then(
    (title) => count(visits.answered, title),
    (error) => count(visits.failed, error.code ?? words(error)),
  );
  await sleep(PAUSE);
}
console.log(JSON.stringify(visits));

/** Fetches the page on a new connection, so that each request may reach another Pod. Returns its title. */
function page(): Promise<string> {
  return new Promise((settle, reject) => {
    // The server of the page accepts only this host name.
    const options = { host, port, agent: false, headers: { host: 'localhost' }, timeout: PATIENCE };
    const request = get(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('error', reject);
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => {
        const title = /<title>(.*?)<\/title>/s.exec(text)?.[1];
        if (answer.statusCode === 200 && title !== undefined) settle(title);
        else reject(new Error(`answer ${answer.statusCode}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error(`no answer in ${PATIENCE / 1000} s`)));
    request.on('error', reject);
  });
}

function count(numbers: Record<string, number>, name: string): void {
  numbers[name] = (numbers[name] ?? 0) + 1;
}
