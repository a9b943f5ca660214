import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, measure, type Steps } from './measure.ts';
import { rowOutput, type Server, solpack } from './rows.ts';

/** Returns a port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/**
 * Starts docker-registry, or another release of it, empty or with what the steps `before` push. It keeps that in a
 * folder of its own below `parent`.
 */
export async function dockerRegistry(
  port: number,
  before: Steps = [],
  {
    program = 'docker-registry',
    parent = rowOutput,
    s3,
  }: { readonly program?: string; readonly parent?: string; readonly s3?: object } = {},
): Promise<Server> {
  const folder = mkdtempSync(join(parent, 'registry-'));
  const config = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: s3 ? { s3 } : { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: `127.0.0.1:${port}` },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const server = await begin([program, 'serve', join(folder, 'config.json')], port);
  await measure(before);
  return server;
}

/** Starts nginx with the files below `root`. */
export async function nginx(port: number, root: string): Promise<Server> {
  const folder = mkdtempSync(join(rowOutput, 'nginx-'));
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name.replace('client_', ''))};`,
  );
  // A single process, because only one is measured. It sends files without a copy, so more processes would not be
  // faster.
  const text = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; sendfile on; ${temporary.join(' ')} server { listen 127.0.0.1:${port}; root ${root}; } }`;
  writeFileSync(join(folder, 'nginx.conf'), text);
  return begin(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], port);
}

/** Starts `solpack serve` over an archive, after the steps `before`. */
export async function solpackServe(port: number, archive: string, before: Steps = []): Promise<Server> {
  const server = await begin(solpack('serve', archive, '--listen', `127.0.0.1:${port}`), port);
  await measure(before);
  return server;
}

/** Starts a server, and waits until it accepts connections. */
async function begin([program, ...args]: Command, port: number): Promise<Server> {
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}`);
  });
  ended.catch(() => undefined);
  const stop = (): Promise<void> => stopped(child);
  try {
    await Promise.race([answers(port), ended]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { id: child.pid ?? 0, stop };
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await sleep(50);
  }
  throw new Error(`nothing answers on port ${port}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const end = once(child, 'exit');
  child.kill();
  await end;
}
