import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { find } from './judges.ts';

/** One request as nginx has logged it. */
export interface Logged {
  readonly path: string;
  readonly status: number;
  /** Bytes of the body that were sent. */
  readonly bytes: number;
  readonly range: string;
}

/** A running nginx. */
export interface Nginx {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** The same over TLS; with a certificate for 127.0.0.1. */
  readonly secureUrl: string;
  /** What was asked for since the last call. */
  requests(): Promise<Logged[]>;
  stop(): Promise<void>;
}

/** What nginx serves beside the files. */
export interface NginxOptions {
  /** PEM files for TLS. */
  readonly certificate: string;
  readonly key: string;
  /** More `location` blocks. */
  readonly locations: string;
}

/**
 * Gives a function that starts nginx on free ports when it is first called, with the files below `root`; it is stopped
 * after the tests of the file. Call it at the top level of a test file.
 */
export function nginx(root: string, options: () => Promise<NginxOptions>): () => Promise<Nginx> {
  let running: Promise<Nginx> | undefined;
  afterAll(async () => (await running)?.stop());
  return () => {
    running ??= options().then((given) => start(root, given, 5));
    return running;
  };
}

async function start(root: string, options: NginxOptions, attempts: number): Promise<Nginx> {
  const folder = mkdtempSync(join(root, '.nginx-'));
  const log = join(folder, 'access.log');
  const [port, securePort] = [await freePort(), await freePort()];
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'nginx.conf'), configuration({ root, folder, log, port, securePort }, options));
  const child = spawn(find('nginx')!, [
    '-e',
    join(folder, 'error.log'),
    '-p',
    folder,
    '-c',
    join(folder, 'nginx.conf'),
  ]);
  if (!(await listens(child, securePort))) {
    // Somebody else may have taken a port meanwhile.
    if (attempts > 1) return start(root, options, attempts - 1);
    throw new Error(`nginx does not start:\n${readFileSync(join(folder, 'error.log'), 'utf8')}`);
  }
  const url = `http://127.0.0.1:${port}`;
  let marks = 0;
  let read = 0;
  return {
    url,
    secureUrl: `https://127.0.0.1:${securePort}`,
    requests: async () => {
      // nginx is one process: once it has logged this, it has logged all that came before.
      marks += 1;
      const mark = `/mark-${marks}`;
      await ask(`${url}${mark}`);
      for (;;) {
        const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1).map(parse);
        const end = lines.findIndex(({ path }) => path === mark);
        if (end >= 0) {
          const since = lines.slice(read, end);
          read = end + 1;
          return since;
        }
        // Clock: between two looks.
        await sleep(5);
      }
    },
    stop: () =>
      new Promise((settle) => {
        if (child.exitCode !== null || child.signalCode !== null) return settle();
        child.once('close', () => settle());
        child.kill();
      }),
  };
}

interface Setting {
  readonly root: string;
  readonly folder: string;
  readonly log: string;
  readonly port: number;
  readonly securePort: number;
}

function configuration({ root, folder, log, port, securePort }: Setting, options: NginxOptions): string {
  return `daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
  log_format plain '$uri $status $body_bytes_sent $http_range';
  access_log ${log} plain;
  default_type application/octet-stream;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${securePort} ssl;
    ssl_certificate ${options.certificate};
    ssl_certificate_key ${options.key};
    root ${root};
${options.locations}
  }
}
`;
}

function parse(line: string): Logged {
  const [path = '', status, bytes, range = ''] = line.split(' ');
  return { path, status: Number(status), bytes: Number(bytes), range };
}

/** Whether a process comes to listen on a port, instead of ending. */
async function listens(child: ChildProcess, port: number): Promise<boolean> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const open = await new Promise<boolean>((settle) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        settle(true);
      });
      socket.once('error', () => settle(false));
    });
    if (open) return child.exitCode === null;
    // Clock: between two tries.
    await sleep(10);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  await new Promise((settle) => server.close(settle));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function ask(url: string): Promise<void> {
  return new Promise((settle, reject) => {
    const outgoing = request(url, { agent: false }, (message) => {
      message.resume();
      message.once('end', settle);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
