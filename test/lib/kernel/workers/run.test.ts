import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { besides, crewSize, hire, isWorthwhile } from '../../../../lib/kernel/workers/crew.ts';
import { batchesOf, type Job, type Verdict } from '../../../../lib/kernel/workers/job.ts';
import { failureOf, type JobRunOptions, runJobs } from '../../../../lib/kernel/workers/run.ts';
import { scratch } from '../../../support/judges.ts';
import { noise } from '../../../support/registry.ts';

const folder = scratch('workers');
const MIB = 1024 * 1024;
let made = 0;

function file(bytes: Uint8Array): string {
  made += 1;
  const path = join(folder, `${made}`);
  writeFileSync(path, bytes);
  return path;
}

function jobOf(bytes: Uint8Array, to: number[], more: Partial<Job> = {}): Job {
  const from = { path: file(bytes), offset: 0, size: undefined };
  return { digest: sha256(bytes), size: bytes.length, from, to, ...more };
}

async function run(
  jobs: readonly Job[],
  more: Partial<JobRunOptions> = {},
): Promise<{ verdicts: Verdict[]; bytes: number }> {
  const byDigest = new Map<Digest, Verdict>();
  let bytes = 0;
  await runJobs(jobs, {
    target: undefined,
    holes: false,
    direct: false,
    workers: 2,
    signal: new AbortController().signal,
    onBytes: (count) => {
      bytes += count;
    },
    onVerdict: ({ digest }, verdict) => byDigest.set(digest, verdict),
    ...more,
  });
  return { verdicts: jobs.map(({ digest }) => byDigest.get(digest)!), bytes };
}

describe('workers', () => {
  test.each([1, 2, 5])('put every content into its places: %i of them', async (workers) => {
    const contents = [noise('large', 5 * MIB + 7), noise('middle', MIB), ...small(300)];
    let end = 3;
    const jobs = contents.map((bytes) => {
      const to = [end, end + bytes.length];
      end += 2 * bytes.length;
      return jobOf(bytes, to);
    });
    const target = file(Buffer.alloc(end, 0xaa));
    const { verdicts, bytes } = await run(jobs, { target, workers });
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['done']));
    expect(bytes).toBe(contents.reduce((sum, one) => sum + one.length, 0));
    const expected = Buffer.concat([Buffer.alloc(3, 0xaa), ...contents.flatMap((one) => [one, one])]);
    expect(readFileSync(target).equals(expected)).toBe(true);
  });

  test.each([0, 2048, 5 * MIB + 3])('write past the page cache what the offset %i cuts into blocks', async (at) => {
    const bytes = noise(`direct-${at}`, 5 * MIB + 7);
    const target = file(Buffer.alloc(at + bytes.length + 9));
    await run([jobOf(bytes, [at])], { target, direct: true });
    expect(readFileSync(target).equals(Buffer.concat([Buffer.alloc(at), bytes, Buffer.alloc(9)]))).toBe(true);
  });

  test('read what lies in the middle of a file', async () => {
    const whole = noise('whole', 3 * MIB);
    const part = whole.subarray(1000, 1000 + 2 * MIB);
    const from = { path: file(whole), offset: 1000, size: part.length };
    const target = file(new Uint8Array(part.length));
    expect((await run([jobOf(part, [0], { from })], { target })).verdicts).toEqual([{ kind: 'done' }]);
    expect(readFileSync(target).equals(part)).toBe(true);
  });

  test('leave holes where zeros belong, but only in a file that is zeros', async () => {
    const zeros = new Uint8Array(8 * MIB);
    const target = join(folder, 'sparse');
    writeFileSync(target, '');
    truncateSync(target, zeros.length);
    await run([jobOf(zeros, [0])], { target, holes: true });
    expect(statSync(target).blocks).toBe(0);
    writeFileSync(target, Buffer.alloc(zeros.length, 1));
    await run([jobOf(zeros, [0])], { target, holes: false });
    expect(readFileSync(target).equals(zeros)).toBe(true);
  });

  test('know SHA-512, and content of no bytes', async () => {
    const digest: Digest = `sha512:${'0'.repeat(128)}`;
    const { verdicts } = await run([jobOf(Uint8Array.of(1), [], { digest }), jobOf(new Uint8Array(), [])]);
    expect(verdicts).toMatchObject([
      { kind: 'digest', found: expect.stringMatching(/^sha512:[0-9a-f]{128}$/) },
      { kind: 'done' },
    ]);
  });

  test('tell a wrong digest, a wrong length and a file that cannot be read apart', async () => {
    const bytes = noise('bytes', 1000);
    const longer = { path: file(noise('longer', 1001)), offset: 0, size: undefined };
    const cut = { path: file(noise('cut', 500)), offset: 0, size: 700 };
    mkdirSync(join(folder, 'folder'));
    const jobs: Job[] = [
      jobOf(bytes, [], { digest: sha256('other') }),
      jobOf(bytes, [], { digest: sha256('longer'), from: longer }),
      jobOf(bytes, [], { digest: sha256('cut'), size: 700, from: cut }),
      jobOf(bytes, [], { digest: sha256('none'), from: { ...longer, path: join(folder, 'none') } }),
      jobOf(bytes, [], { digest: sha256('folder'), from: { ...longer, path: join(folder, 'folder') } }),
    ];
    const { verdicts } = await run(jobs);
    expect(verdicts).toEqual([
      { kind: 'digest', found: sha256(bytes), changed: false },
      { kind: 'size', found: 1001, changed: false },
      { kind: 'size', found: 500, changed: false },
      { kind: 'unread' },
      { kind: 'unread' },
    ]);
    const told = (at: number): unknown => failureOf(jobs[at]!, verdicts[at] as Verdict & { kind: 'size' }, 'out.iso');
    expect(told(0)).toMatchObject({ digest: sha256('other'), cause: { code: 'digest-mismatch' } });
    expect(told(1)).toMatchObject({
      message: expect.stringContaining('but there are more'),
      cause: { code: 'size-mismatch' },
    });
    expect(told(2)).toMatchObject({ message: expect.stringContaining('but has 500') });
  });

  test('notice that a file is written to while it is read', async () => {
    const path = file(new Uint8Array());
    const size = 256 * MIB;
    truncateSync(path, size);
    const job: Job = { digest: sha256('another'), size, from: { path, offset: 0, size }, to: [] };
    let reading = true;
    const write = (): void => {
      appendFileSync(path, 'x');
      if (reading) setImmediate(write);
    };
    write();
    const { verdicts } = await run([job]).finally(() => {
      reading = false;
    });
    expect(verdicts).toMatchObject([{ kind: 'digest', changed: true }]);
    expect(failureOf(job, verdicts[0] as Verdict & { kind: 'digest' }, 'out.iso')).toMatchObject({
      message: expect.stringContaining('was written to meanwhile'),
    });
  });

  test('tell when the target cannot be written', async () => {
    const job = jobOf(noise('x', 100), [0]);
    const { verdicts } = await run([job], { target: join(folder, 'no/such/folder') });
    expect(verdicts).toMatchObject([{ kind: 'unwritten', code: 'ENOENT' }]);
    expect(failureOf(job, verdicts[0] as Verdict & { kind: 'unwritten' }, 'out.iso')).toMatchObject({
      code: 'output-unwritable',
      subject: 'out.iso',
    });
  });

  test('end when they are told to, and when a verdict is not accepted', async () => {
    const jobs = Array.from({ length: 20 }, (_, at) => jobOf(noise(`${at}`, 4 * MIB), []));
    const control = new AbortController();
    const aborted = run(jobs, { signal: control.signal, onBytes: () => control.abort(new Error('told to stop')) });
    await expect(aborted).rejects.toThrow('told to stop');
    await expect(run(jobs, { signal: control.signal })).rejects.toThrow('told to stop');
    const refused = run(jobs, {
      onVerdict: () => {
        throw new Error('not accepted');
      },
    });
    await expect(refused).rejects.toThrow('not accepted');
  });
});

describe('a crew', () => {
  test('that was started beforehand works on several targets, one after another', async () => {
    const crew = hire(2);
    const bytes = noise('crew', MIB);
    const targets = [file(new Uint8Array(MIB)), file(new Uint8Array(MIB))];
    for (const target of targets) {
      expect((await run([jobOf(bytes, [0])], { target, crew })).verdicts).toEqual([{ kind: 'done' }]);
    }
    for (const target of targets) expect(readFileSync(target).equals(bytes)).toBe(true);
    await crew[Symbol.asyncDispose]();
    await expect(run([jobOf(bytes, [])], { crew })).rejects.toThrow('ended before its work');
  });

  test('has ended where a run failed, so that nothing is written any more', async () => {
    const crew = hire(2);
    const jobs = Array.from({ length: 10 }, (_, at) => jobOf(noise(`${at}`, 4 * MIB), []));
    const onBytes = (): void => {
      throw new Error('no more');
    };
    await expect(run(jobs, { crew, onBytes })).rejects.toThrow('no more');
    expect(crew.workers.map(({ threadId }) => threadId)).toEqual([-1, -1]);
  });

  test('is one thread for each core, up to 4, unless it is said', () => {
    expect(crewSize(undefined)).toBe(Math.min(4, availableParallelism()));
    expect(crewSize(20)).toBe(20);
    expect(besides()).toBe(Math.max(1, crewSize(undefined) - 1));
    expect([isWorthwhile(MIB, undefined), isWorthwhile(MIB, 1), isWorthwhile(99 * MIB, 0)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(isWorthwhile(16 * MIB, undefined)).toBe(true);
  });
});

describe('the thread that runs jobs', () => {
  const nobody = { workers: [], up: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
  const many = (count: number): Job[] =>
    Array.from({ length: count }, (_, at) => jobOf(noise(`own ${at}`, 4 * MIB), []));

  test('works off what others leave it once it is idle, and sees to all else meanwhile', async () => {
    const bytes = noise('own', 5 * MIB + 7);
    const gone = { path: join(folder, 'gone'), offset: 0, size: undefined };
    const cut = { path: file(noise('own cut', MIB + 500)), offset: 0, size: 2 * MIB };
    const jobs = [
      jobOf(bytes, []),
      jobOf(bytes, [], { digest: sha256('own, other') }),
      jobOf(bytes, [], { digest: sha256('own, gone'), from: gone }),
      jobOf(bytes, [], { digest: sha256('own, cut'), size: 2 * MIB, from: cut }),
      ...small(300).map((one) => jobOf(one, [])),
    ];
    let turns = 0;
    let working = true;
    const turn = (): void => {
      turns += 1;
      if (working) setImmediate(turn);
    };
    turn();
    const { verdicts, bytes: told } = await run(jobs, { crew: nobody, idle: Promise.resolve() });
    working = false;
    expect(verdicts.slice(0, 4)).toEqual([
      { kind: 'done' },
      { kind: 'digest', found: sha256(bytes), changed: false },
      { kind: 'unread' },
      { kind: 'size', found: MIB + 500, changed: false },
    ]);
    expect(new Set(verdicts.slice(4).map(({ kind }) => kind))).toEqual(new Set(['done']));
    const read = 2 * bytes.length + MIB + 500 + small(300).reduce((sum, one) => sum + one.length, 0);
    expect([told, turns > small(300).length]).toEqual([read, true]);
  });

  test('shares jobs with others, each of which is done once', async () => {
    const done: Digest[] = [];
    const jobs = many(12);
    const onVerdict = ({ digest }: Job): unknown => done.push(digest);
    await run(jobs, { workers: 1, idle: Promise.resolve(), onVerdict });
    expect(done.toSorted()).toEqual(jobs.map(({ digest }) => digest).toSorted());
  });

  test('leaves all to others where it is never idle', async () => {
    const { verdicts } = await run(many(3), { workers: 1, idle: new Promise(() => undefined) });
    expect(verdicts).toEqual([{ kind: 'done' }, { kind: 'done' }, { kind: 'done' }]);
  });

  test.each(['idle', 'waiting'])('ends when it is told to, and when a verdict is not accepted: %s', async (how) => {
    const idle = how === 'idle' ? Promise.resolve() : new Promise<void>(() => undefined);
    const options = { workers: 1, idle };
    const control = new AbortController();
    const aborted = run(many(8), {
      ...options,
      signal: control.signal,
      onBytes: () => control.abort(new Error('told to stop')),
    });
    await expect(aborted).rejects.toThrow('told to stop');
    const onVerdict = (): void => {
      throw new Error('not accepted');
    };
    await expect(run(many(8), { ...options, onVerdict })).rejects.toThrow('not accepted');
  });
});

test('large jobs come first and alone, small ones together in the order of their places', () => {
  const job = (size: number, place: number): Job => ({
    digest: sha256(`${size} ${place}`),
    size,
    from: { path: 'x', offset: 0, size: undefined },
    to: [place],
  });
  const jobs = [
    job(10, 9),
    job(5 * MIB, 0),
    job(9 * MIB, 1),
    ...Array.from({ length: 300 }, (_, at) => job(1, 1000 - at)),
  ];
  const batches = batchesOf(jobs);
  expect(batches.map((batch) => batch.length)).toEqual([1, 1, 256, 45]);
  expect(batches.slice(0, 2).map(([one]) => one!.size)).toEqual([9 * MIB, 5 * MIB]);
  const places = batches.slice(2).flatMap((batch) => batch.map(({ to }) => to[0]!));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(batches.flat().length).toBe(jobs.length);
  expect(batchesOf([job(3 * MIB, 0), job(3 * MIB, 1)]).length).toBe(2);
  expect(batchesOf([])).toEqual([]);
});

function small(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => noise(`small ${at}`, 10 + at));
}
