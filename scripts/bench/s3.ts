import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './servers.ts';

/** A running S3 server with one bucket, and who may use it. */
export interface S3Store {
  /** `storage.s3` of Distribution's configuration. */
  readonly settings: Readonly<Record<string, string | boolean>>;
  /** The folder in which it keeps the bucket's objects, by their keys. */
  readonly objects: string;
  stop(): Promise<void>;
}

const login = { accesskey: 'ada', secretkey: 'a secret of ada' } as const;

/** How often, and for how many milliseconds each time, it is waited for a server that starts. */
const TRIES = 300;
const PAUSE = 100;

/**
 * Starts versitygw at a free port of 127.0.0.1. It keeps objects as files below `folder`, and what it knows of them in
 * extended attributes of these. Throws where it does not come up.
 */
export async function startS3(folder: string, program = 'versitygw'): Promise<S3Store> {
  const bucket = 'images';
  const objects = join(folder, bucket);
  mkdirSync(objects, { recursive: true });
  const host = `127.0.0.1:${await freePort()}`;
  const env = { ...process.env, ROOT_ACCESS_KEY_ID: login.accesskey, ROOT_SECRET_ACCESS_KEY: login.secretkey };
  const child = spawn(program, ['--port', host, '--quiet', 'posix', folder], { env, stdio: 'ignore' });
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  const ended = new Promise<void>((settle) => child.once('close', () => settle()));
  for (let tries = 0; !(await answers(host)); tries += 1) {
    if (failed || child.exitCode !== null || tries === TRIES) {
      child.kill();
      throw new Error(`${program} did not come up`, { cause: failed });
    }
    await sleep(PAUSE);
  }
  return {
    settings: {
      ...login,
      bucket,
      region: 'us-east-1',
      regionendpoint: `http://${host}`,
      secure: false,
      forcepathstyle: true,
    },
    objects,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

function answers(host: string): Promise<boolean> {
  return fetch(`http://${host}/`).then(
    (answer) => answer.arrayBuffer().then(() => true),
    () => false,
  );
}
