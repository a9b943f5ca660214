import type { PackedChart } from '../../../formats/chart/read.ts';
import type { DeclaredImage, StatedObject } from './kind.ts';

/**
 * Says at the first workload of a chart, otherwise at its first object, which images the annotations of that chart
 * name. Of charts within it only those count that have objects: the others are switched off.
 */
export function withAnnotatedImages(chart: PackedChart, stated: StatedObject[]): StatedObject[] {
  const images = new Map<StatedObject, DeclaredImage[]>();
  const say = (found: PackedChart['images'], isOwn: (one: StatedObject) => boolean): void => {
    const own = stated.filter(isOwn);
    const starter = own.find(({ object }) => isWorkload(object.kind)) ?? own[0];
    if (found === undefined || starter === undefined) return;
    const declared = found.map((one): DeclaredImage => ({ ...one, certainty: 'likely' }));
    images.set(starter, [...(images.get(starter) ?? []), ...declared]);
  };
  say(chart.images, () => true);
  for (const { name, images: found } of chart.vendored) {
    const folders = [name, ...aliasesOf(chart, name)].map((one) => `/charts/${one}/`);
    say(found, ({ source }) => folders.some((folder) => source?.includes(folder) === true));
  }
  return images.size === 0 ? stated : stated.map((one) => withImages(one, images.get(one)));
}

function withImages(one: StatedObject, images: readonly DeclaredImage[] | undefined): StatedObject {
  return images === undefined ? one : { ...one, images };
}

function isWorkload(kind: string): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet';
}

/** The other names by which a chart is known within the one that needs it. */
function aliasesOf({ dependencies }: PackedChart, name: string): string[] {
  return dependencies.flatMap((one) => {
    const alias = one['alias'];
    return one.name === name && typeof alias === 'string' ? [alias] : [];
  });
}
