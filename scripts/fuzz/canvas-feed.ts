import { reduced, type Try } from './faults.ts';
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';
import type { Sample } from './sample.ts';
import type { Feed } from './target.ts';

/** A sound file, and the ways to read it. */
export interface Choice {
  readonly sample: Sample;
  readonly tries: readonly Try[];
}

/** Makes a feed of files that are damaged in place, because copying them each time would take too long. */
export function canvasFeed(choices: readonly Choice[]): Feed {
  return {
    samples: choices.flatMap(({ sample: { name, canvas }, tries }) =>
      tries.map((one) => ({ name, bytes: canvas.bytes, one })),
    ),
    prepare: (random: Random) => {
      const { sample, tries } = random.pick(choices);
      const { name, canvas } = sample;
      mutate(random, sample);
      const one = random.pick(tries);
      return {
        sample: name,
        bytes: canvas.bytes,
        one,
        reduced: async (fault) => {
          await reduced(canvas, one, fault);
          return canvas.bytes;
        },
        close: () => canvas.reset(),
      };
    },
  };
}
