import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs the server of an unpacked image on a free loopback port, and returns the title of its page. */
export async function fetchFrom(rootfs: string, entrypoint: readonly string[]): Promise<string> {
  const port = await freePort();
  const [program = '', ...args] = entrypoint.map((word) =>
    word.replace('0.0.0.0:8080', `127.0.0.1:${port}`).replace('=/www', `=${join(rootfs, 'www')}`),
  );
  const server = spawn(join(rootfs, program), args, { stdio: 'ignore' });
  try {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const page = await fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.text(),
        () => undefined,
      );
      if (page !== undefined) return /<title>(.*?)<\/title>/s.exec(page)?.[1]?.trim() ?? page.slice(0, 80);
      await sleep(100);
    }
    throw new Error(`nothing answers on port ${port}`);
  } finally {
    server.kill('SIGKILL');
  }
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
