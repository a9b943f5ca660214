import { z } from 'zod';
import type { LoadResult } from '../../lib/load/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** The shape of what `load` prints with `--json`. */
export const loadSchema = z.object({
  schemaVersion: z.literal(1).describe('of this schema; fields may be added without raising it'),
  name: z.string().describe('the Solution that the tree was brought up as'),
  version: z.string().describe('made from the rendered objects: the same objects have the same version'),
  folder: z.string(),
  components: z
    .array(
      z.object({
        name: z.string(),
        folder: z.string(),
        kind: z.enum(['kustomize', 'plugin']),
        state: z.enum(['loaded', 'empty', 'failed']),
        objects: z.number().int().nonnegative(),
        reason: z.string().optional().describe('why it failed'),
      }),
    )
    .describe('in the order of application'),
  files: z.array(z.string()).describe('files that were rendered, in order'),
  objects: z
    .array(
      z.object({
        object: z.string().describe('Kind name, or Kind namespace/name'),
        action: z.enum(['created', 'changed', 'replaced', 'unchanged', 'removed', 'kept']),
        component: z.string().optional(),
      }),
    )
    .describe('in the order in which they were applied or removed'),
  skipped: z.array(z.string()).describe('entries of the folder that are no components'),
});

/** What a load did. */
export function loaded(result: Omit<LoadResult, 'failure'>, style: Style): string[] {
  const { components, files, objects } = result;
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
    ...files.map((file) => `  rendered  ${plain(file)}`),
    ...table(changes.map(({ action, object }) => [`  ${action}`, plain(object)])),
    ...(unchanged > 0 && changes.length > 0 ? [`  ${count(unchanged, 'object')} unchanged`] : []),
  ];
}

function title(
  { name, version, folder, components, objects }: Omit<LoadResult, 'failure'>,
  changes: number,
  style: Style,
): string {
  const solution = style.bold(`${name} ${version}`);
  if (components.some(({ state }) => state === 'failed')) {
    return `${style.bad('loaded in part')} ${solution}  ${plain(folder)}`;
  }
  if (objects.length > 0 && changes === 0) {
    return `${style.good('already there')} ${solution}  nothing changed, ${count(objects.length, 'object')}`;
  }
  return `${style.good('loaded')} ${solution}  ${plain(folder)}`;
}
