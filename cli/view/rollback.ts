import type { RollbackResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { objectChanges, objectCounts } from './objects.ts';
import { type Style, table } from './style.ts';

/** Describes a rollback for a person. */
export function rollbackView({ of, generation, solutions, removed }: RollbackResult, style: Style): string[] {
  const lines = (word: string, all: RollbackResult['solutions']): string[] =>
    all.flatMap(({ name, version, objects }) => [
      `${style.good(word)} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${objectCounts(objects)}`,
      ...table(objectChanges(objects)),
    ]);
  const when = of.at.replace(/\.\d+/, '');
  return [
    ...lines('brought back', solutions),
    ...lines('removed', removed),
    `generation ${generation}, as ${of.number} was of ${when}`,
  ];
}
