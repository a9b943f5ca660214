import type { UninstallResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { objectChanges, objectCounts } from './objects.ts';
import { type Style, table } from './style.ts';

/** Describes a removal for a person. */
export function uninstallView(
  { configuration, generation, removed, kept, taken = [], staying, mirrors }: UninstallResult,
  style: Style,
): string[] {
  const left = staying.map(({ name, version }) => `${name} ${version}`).join(', ') || 'no Solution';
  return [
    ...(removed.length === 0 ? ['nothing of it is left to remove'] : []),
    ...removed.flatMap(({ name, version, objects }) => [
      `${style.good('removed')} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${objectCounts(objects)}`,
      ...table(objectChanges(objects.filter(({ action }) => action !== 'kept'))),
    ]),
    ...taken.map(({ object, reason }) => `  removed  ${plain(object)}: ${plain(reason)}`),
    ...kept.map(({ object, reason }) => `  kept  ${plain(object)}: ${plain(reason)}`),
    ...(mirrors?.removed ?? []).map((path) => `  removed  ${plain(path)}`),
    ...(mirrors?.stay ?? []).map(({ path, reason }) => `  kept  ${plain(path)}: ${plain(reason)}`),
    `configuration ${plain(configuration)}, generation ${generation}: ${plain(left)}`,
  ];
}
