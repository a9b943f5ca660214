import { metalk8sPaths } from '../../../../formats/metalk8s/names.ts';
import type { ForeignMedium } from '../../../parts/archives/index.ts';
import { hasOperator, listedImages } from './derive.ts';
import type { Metalk8sMedium } from './found.ts';

/** Lists the files of a medium whose bytes nothing on it says: all but those that are named by their digests. */
export function unprovedFiles({ descriptions, crds, roles, images }: Metalk8sMedium): string[] {
  return [
    ...[...descriptions, ...crds].map(({ path }) => path),
    ...(roles.length > 0 ? [metalk8sPaths.roles] : []),
    ...images.map(({ name, tag }) => `${metalk8sPaths.images}/${name}/${tag}/manifest.json`),
  ];
}

/** Lists folders of a medium that hold no image, and images that it asks for and lacks. */
export function mediumFaults(medium: Metalk8sMedium): ForeignMedium['faults'] {
  const { images, unusable, solution } = medium;
  const there = new Set(images.map(({ name, tag }) => `${name}:${tag}`));
  const { name, tag } = solution.operator;
  const asked = [...listedImages(medium), ...(hasOperator(medium) ? [`${name}:${tag}`] : [])];
  const lacking = [...new Set(asked)].filter((image) => !there.has(image));
  return [
    ...unusable,
    ...lacking
      .map((image) => ({ image, path: `${metalk8sPaths.images}/${image.replace(/:(?=[^:]*$)/, '/')}` }))
      .filter(({ path }) => unusable.every((one) => one.path !== path))
      .map(({ image, path }) => ({ path, message: `${image} is listed, but does not exist` })),
  ];
}

/** Lists the files of a medium that are named by their digests. */
export function namedFiles({ contents }: Metalk8sMedium): ForeignMedium['named'] {
  return [...contents].flatMap(([hex, entries]) =>
    entries.map((entry) => ({ digest: `sha256:${hex}` as const, entry })),
  );
}
