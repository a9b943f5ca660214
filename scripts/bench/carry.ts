import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts';
import { type Command, measure, sample } from './measure.ts';
import { startS3 } from './s3.ts';
import { dockerRegistry, freePort } from './servers.ts';

/** A large Solution to carry to a registry. */
export interface Load {
  readonly title: string;
  /** Folder of its definition. */
  readonly input: string;
  /** Bytes of its layers. */
  readonly bytes: number;
  /** Where the archive and the registry are; it is removed before. */
  readonly output: string;
  readonly store: 'disk' | 's3';
  /** Where programs of the project are, for those that are not on PATH. */
  readonly program: (name: string) => string;
  readonly solpack: (...args: string[]) => Command;
}

/** One push. */
export interface Leg {
  readonly title: string;
  readonly seconds: number;
  /** Most memory that solpack had, in bytes. */
  readonly memory: number;
  /** Bytes that went to the registry, with all that is said about them. */
  readonly sent: number;
  /** Contents that were moved, and that were there; undefined for a push that was ended. */
  readonly moved: number | undefined;
  readonly present: number | undefined;
}

/**
 * Packs a Solution, and pushes it to Distribution 3 three times: the first loses all its connections after a quarter of
 * the bytes and is killed after half of them, the second goes on, and the third finds everything there. `tell` hears of
 * each when it has ended. Throws where one of them does not end so.
 */
export async function carry(load: Load, tell: (leg: Leg) => void = () => undefined): Promise<readonly Leg[]> {
  const { output, store, program, solpack } = load;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const archive = join(output, 'large.iso');
  await measure([[solpack('pack', load.input, '-o', archive, '--no-sync')]]);
  const s3 = store === 's3' ? await startS3(join(output, 's3'), program('versitygw')) : undefined;
  const port = await freePort();
  const options = { program: program('registry'), parent: output, ...(s3 ? { s3: s3.settings } : {}) };
  const server = await dockerRegistry(port, [], options);
  const proxy = await cuttingProxy(port);
  const push = solpack('push', archive, `127.0.0.1:${proxy.port}/large/solution`, '--json');
  try {
    const first = await leg('cut at a quarter, killed at half', push, proxy, (kill) => {
      proxy.once(load.bytes / 4, proxy.cut);
      proxy.once(load.bytes / 2, kill);
    });
    if (first.moved !== undefined) throw new Error(`${load.title}: the first push was done before it was killed`);
    tell(first);
    const legs = [first];
    for (const title of ['run again', 'and again']) {
      const next = await leg(title, push, proxy);
      tell(next);
      legs.push(next);
    }
    return legs;
  } finally {
    proxy.close();
    await server.stop();
    await s3?.stop();
  }
}

async function leg(
  title: string,
  [program, ...args]: Command,
  proxy: CuttingProxy,
  disturb: (kill: () => void) => void = () => undefined,
): Promise<Leg> {
  const before = proxy.sent();
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let memory = 0;
  const timer = setInterval(() => {
    memory = sample(child.pid ?? 0)?.memory ?? memory;
  }, 20);
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-4000);
  });
  let killed = false;
  disturb(() => {
    killed = true;
    child.kill('SIGKILL');
  });
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0 && !killed) throw new Error(`${title}: ${program} ended with ${code}\n${errors.trim()}`);
  const { moved, present } = (code === 0 ? JSON.parse(out) : {}) as Partial<Pick<Leg, 'moved' | 'present'>>;
  return { title, seconds: (performance.now() - start) / 1000, memory, sent: proxy.sent() - before, moved, present };
}
