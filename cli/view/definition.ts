import type { ImagesResult, InitResult } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes a new definition for a person. */
export function initView({ path, components, images, left }: InitResult, style: Style): string[] {
  return [
    `${style.good('written')} ${style.bold(plain(path))}  ${count(components.length, 'component')}, ${count(images.length, 'image')}`,
    ...table([
      ...components.map(({ name, kind, path: from }) => [`  ${kind}`, plain(name), plain(from)]),
      ...images.map(({ reference, source }) => ['  image', plain(reference), plain(source)]),
      ...left.map(({ path: from, reason }) => ['  not named', plain(from), plain(reason)]),
    ]),
  ];
}

/** Lists the images that objects name for a person, below each where it stands, and then those that none names. */
export function imagesView({ images, unused }: ImagesResult, style: Style): string[] {
  const named = images.flatMap(({ reference, held, certainty, places }) => [
    `${held ? style.good('held') : style.bad('missing')} ${style.bold(plain(reference))}  ${certainty}`,
    ...table(places.map(({ component, object, path }) => [`  ${plain(component)}`, plain(object), plain(path)])),
  ]);
  return [...named, ...unused.map((one) => `${style.bad('unused')} ${style.bold(plain(one))}`)];
}
