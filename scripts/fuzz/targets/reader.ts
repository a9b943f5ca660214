import { type Choice, canvasFeed } from '../canvas-feed.ts';
import { foreignImages } from '../corpus.ts';
import { isoFields } from '../iso-fields.ts';
import { ownImage } from '../own.ts';
import { readImage, readings } from '../reader.ts';
import { type Sample, sampleOf } from '../sample.ts';
import type { Target } from '../target.ts';

/** The reader of ISO 9660, for each of its trees. */
export const reader: Target = {
  name: 'reader',
  weight: 70,
  load: () => canvasFeed(imageSamples().map(choice)),
};

/** Returns images of this project's writer and of others. */
export function imageSamples(): Sample[] {
  return [['solpack', ownImage()] as const, ...foreignImages()].map(([name, bytes]) =>
    sampleOf(name, bytes, isoFields(bytes)),
  );
}

function choice(sample: Sample): Choice {
  const tries = readings.map((reading) => async (image: Buffer) => (await readImage(image, reading)) ?? 'read');
  return { sample, tries };
}
