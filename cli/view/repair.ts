import type { RepairResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import type { JsonResults } from './json.ts';
import { objectLines, printedObject } from './status.ts';
import type { Style } from './style.ts';

type Printed = JsonResults['repair'];

/** Returns what a repair did as it is printed. */
export function printedRepair({ configuration, generation, repaired, left }: RepairResult): Printed {
  return { configuration, generation, repaired, left: left.map(printedObject) };
}

/** Describes a repair for a person. */
export function repairView({ configuration, generation, repaired, left }: Printed, style: Style): string[] {
  const what = `configuration ${plain(configuration)}, generation ${generation}`;
  if (repaired.length + left.length === 0) return [`${style.good('as applied')} ${what}: nothing to repair`];
  return [
    ...repaired.flatMap(({ object, action, overrode, restored }) => [
      `${style.good(action)} ${plain(object)}`,
      ...overrode.map(({ manager, fields }) => `  overrides ${plain(manager)}: ${plain(fields.join(', '))}`),
      ...(restored.length === 0 ? [] : [`  puts back ${plain(restored.join(', '))}`]),
    ]),
    ...(left.length === 0 ? [] : [style.bad(`${left.length} still not as applied`)]),
    ...objectLines(left, (state) => style.bad(state)),
    `${style.bold(what)}: ${repaired.length} repaired`,
  ];
}
