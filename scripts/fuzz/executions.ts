import { type SignedArchive, signedArchives } from './archives.ts';
import type { Damage } from './canvas.ts';
import { foreignImages } from './corpus.ts';
import { faultOf, type Outcome, reduced, type Try } from './faults.ts';
import { isoFields } from './iso-fields.ts';
import { mutate } from './mutate.ts';
import { ownImage } from './own.ts';
import { type Random, randomOf } from './random.ts';
import { readImage, readings } from './reader.ts';
import { type Sample, sampleOf } from './sample.ts';
import { verifyArchive } from './verify.ts';

/** What is fed with damaged files. */
export type Target = 'reader' | 'verify';

/** Something that must not happen, and the damage that made it happen. */
export interface Found {
  readonly sample: string;
  readonly why: string;
  readonly damage: Damage;
  readonly bytes: Uint8Array;
}

/** Runs executions by number: the same one does the same each time. */
export interface Executions {
  /** Where to find all samples as they are when sound. */
  readonly samples: readonly Sample[];
  run(seed: number, execution: number): Promise<Outcome | Found>;
  /** What an execution is fed with: where it does not come back to say so. */
  input(seed: number, execution: number): Pick<Found, 'sample' | 'bytes'>;
}

interface Choice {
  readonly sample: Sample;
  readonly tryWith: (random: Random) => Try;
}

/** Loads the samples of `targets`. Three executions of four are the reader's, where both are wanted. */
export async function executionsOf(targets: readonly Target[]): Promise<Executions> {
  const images = targets.includes('reader') ? imageChoices() : [];
  const archives = targets.includes('verify') ? (await signedArchives()).map(archiveChoice) : [];
  const choose = (random: Random): Choice => {
    const wantsArchive = images.length === 0 || random.once(4);
    return random.pick(wantsArchive && archives.length > 0 ? archives : images);
  };
  const prepare = (seed: number, execution: number): { sample: Sample; one: Try } => {
    const random = randomOf(seed, execution);
    const { sample, tryWith } = choose(random);
    mutate(random, sample);
    return { sample, one: tryWith(random) };
  };
  return {
    samples: [...images, ...archives].map(({ sample }) => sample),
    run: async (seed, execution) => {
      const { sample, one } = prepare(seed, execution);
      try {
        return await execute(sample, one);
      } finally {
        sample.canvas.reset();
      }
    },
    input: (seed, execution) => {
      const { sample } = prepare(seed, execution);
      const bytes = Uint8Array.from(sample.canvas.bytes);
      sample.canvas.reset();
      return { sample: sample.name, bytes };
    },
  };
}

function imageChoices(): Choice[] {
  return [['solpack', ownImage()] as const, ...foreignImages()].map(([name, bytes]) => ({
    sample: sampleOf(name, bytes, isoFields(bytes)),
    tryWith: (random) => {
      const reading = random.pick(readings);
      return async (image) => (await readImage(image, reading)) ?? 'read';
    },
  }));
}

function archiveChoice(archive: SignedArchive): Choice {
  return { sample: archive.sample, tryWith: () => (bytes) => verifyArchive(archive, bytes) };
}

async function execute({ name, canvas }: Sample, one: Try): Promise<Outcome | Found> {
  const why = await faultOf(one, canvas.bytes);
  if (typeof why === 'string') return why;
  await reduced(canvas, one, why.fault);
  return { sample: name, why: why.fault, damage: canvas.damage, bytes: Uint8Array.from(canvas.bytes) };
}
