import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/bench/servers.ts';
import { find } from './judges.ts';
import { until } from './until.ts';

/** Lends a zot, with its files below `folder`. No script of the project installs it. */
export async function startZot(folder: string, work: (host: string) => Promise<void>): Promise<void> {
  const own = mkdtempSync(join(folder, 'zot-'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const settings = {
    distSpecVersion: '1.1.1',
    storage: { rootDirectory: join(own, 'data') },
    http: { address: '127.0.0.1', port: `${port}` },
    log: { level: 'error' },
  };
  writeFileSync(join(own, 'config.json'), JSON.stringify(settings));
  const child = spawn(find('zot')!, ['serve', join(own, 'config.json')], { stdio: 'ignore' });
  const ended = once(child, 'close');
  try {
    const asked = (): Promise<string> => fetch(`http://${host}/v2/`).then(({ status }) => `${status}`, String);
    await until(asked, (answer) => answer === '200');
    await work(host);
  } finally {
    child.kill();
    await ended;
  }
}
