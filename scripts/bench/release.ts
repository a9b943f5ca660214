import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../home.ts';
import type { Side } from './before.ts';
import { type Command, type Measure, measure } from './measure.ts';
import { type Judgement, judgePairs, LIMIT } from './pairs.ts';
import { line, median } from './report.ts';
import { output } from './rows.ts';
import { makeManifests, makeSolution, shape } from './solution.ts';

/** Most pairs of runs, where noise goes on to decide. */
const MOST = 31;

/** A figure of a job that may not get worse. */
interface Figure {
  readonly name: string;
  readonly of: (measure: Measure) => number;
}

/** A job that both releases do in turn. */
interface Job {
  readonly title: string;
  /** The command of a release, whose files lie in `folder`. */
  readonly command: (side: Side, folder: string) => Command;
  /** Done before each run, and not measured. */
  readonly before: (folder: string) => void;
  readonly figures: readonly Figure[];
}

const seconds: Figure = { name: 'seconds', of: (one) => one.seconds };
const peak: Figure = { name: 'peak MiB', of: (one) => one.memory / 1024 / 1024 };

/** The jobs: Solutions of `size` MiB. Verified is what the first one has packed. */
async function jobs(size: number): Promise<readonly Job[]> {
  const whole = join(cache, 'bench', `manifests-${size}`);
  await makeSolution(whole, size * 1024 * 1024, 'manifests');
  const alone = join(cache, 'bench', 'manifests-alone');
  await makeManifests(alone);
  const pack = (input: string, to: string): Pick<Job, 'command' | 'before'> => ({
    command: (side, folder) => side.solpack('pack', join(input, 'solution.toml'), '-o', join(folder, to)),
    before: (folder) => {
      // An existing lock would make it another job.
      for (const path of [join(folder, to), join(input, 'solution.lock')]) rmSync(path, { force: true });
    },
  });
  return [
    { title: `pack, with ${shape.files} manifests`, ...pack(whole, 'whole.iso'), figures: [seconds, peak] },
    { title: 'pack, manifests alone', ...pack(alone, 'alone.iso'), figures: [seconds, peak] },
    {
      title: 'verify',
      command: (side, folder) => side.solpack('verify', join(folder, 'whole.iso')),
      before: () => undefined,
      figures: [seconds, peak],
    },
  ];
}

/**
 * Runs each job with both releases in turn, at least `pairs` times, and until what noise does no longer decides. Prints
 * what they took, and returns whether no figure got worse by more than a twentieth.
 */
export async function compareWithBefore(before: Side, now: Side, size: number, pairs: number): Promise<boolean> {
  console.log(`\nthis release and ${before.name}, in pairs; at most ${LIMIT} is held`);
  console.log(line(['', 'before', 'now', 'ratio', 'from', 'to', 'pairs', '']));
  const sides = [before, now].map((side, at) => ({ side, folder: join(output, `release-${at}`) }));
  for (const { folder } of sides) mkdirSync(folder, { recursive: true });
  let held = true;
  for (const job of await jobs(size)) {
    for (const [figure, runs, judgement] of await judged(job, sides, Math.max(6, pairs))) {
      const of = (at: 0 | 1): string => median(runs.map((pair) => figure.of(pair[at]))).toFixed(2);
      const { ratio, low, high, verdict } = judgement;
      const columns = [ratio, low, high].map((one) => one.toFixed(3));
      console.log(line([`${job.title}: ${figure.name}`, of(0), of(1), ...columns, String(runs.length), verdict]));
      held &&= verdict !== 'worse';
    }
  }
  return held;
}

type Pair = readonly [before: Measure, now: Measure];

async function judged(
  job: Job,
  sides: readonly { readonly side: Side; readonly folder: string }[],
  least: number,
): Promise<(readonly [Figure, readonly Pair[], Judgement])[]> {
  const one = async ({ side, folder }: (typeof sides)[number]): Promise<Measure> => {
    job.before(folder);
    await measure([[['sync']]]);
    return measure([[job.command(side, folder)]]);
  };
  // What is compiled and kept the first time is not to count.
  for (const side of sides) await one(side);
  const runs: Pair[] = [];
  for (;;) {
    const first = runs.length % 2;
    const [a, b] = [await one(sides[first]!), await one(sides[1 - first]!)];
    runs.push(first === 0 ? [a, b] : [b, a]);
    if (runs.length < least) continue;
    const isLast = runs.length >= Math.max(MOST, least);
    const all = job.figures.map((figure) => {
      const ratios = runs.map(([before, now]) => figure.of(now) / figure.of(before));
      return [figure, runs, judgePairs(ratios, isLast)] as const;
    });
    if (all.every(([, , { verdict }]) => verdict !== 'open')) return all;
  }
}
