import type { LoadResult } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';
import { variableLines } from './variables.ts';

/** Describes a load for a person. */
export function loadView(result: Omit<LoadResult, 'failure'>, style: Style): string[] {
  const { components, files, objects, variables } = result;
  const changes = objects.filter(({ action }) => action !== 'unchanged');
  const unchanged = objects.length - changes.length;
  return [
    title(result, changes.length, style),
    ...table(
      components.map(({ folder, kind, state, objects: number }) => [
        `  ${plain(folder)}`,
        kind,
        state === 'loaded' ? count(number, 'object') : state === 'empty' ? 'nothing to apply' : style.bad('failed'),
      ]),
    ),
    ...variableLines(variables),
    ...files.map((file) => `  rendered  ${plain(file)}`),
    ...table(changes.map(({ action, object }) => [`  ${action}`, plain(object)])),
    ...(unchanged > 0 && changes.length > 0 ? [`  ${count(unchanged, 'object')} unchanged`] : []),
  ];
}

function title(
  { name, version, folders, components, objects }: Omit<LoadResult, 'failure'>,
  changes: number,
  style: Style,
): string {
  const folder = folders.join(', ');
  const solution = style.bold(`${name} ${version}`);
  if (components.some(({ state }) => state === 'failed')) {
    return `${style.bad('loaded in part')} ${solution}  ${plain(folder)}`;
  }
  if (objects.length > 0 && changes === 0) {
    return `${style.good('already there')} ${solution}  nothing changed, ${count(objects.length, 'object')}`;
  }
  return `${style.good('loaded')} ${solution}  ${plain(folder)}`;
}
