import { plain } from '../io.ts';
import { table } from './style.ts';

/** Tells a person the variables of the node that plugins get that was not given, and by whom. */
export function variableLines(
  variables: readonly Readonly<Record<'name' | 'value' | 'from', string>>[] = [],
): string[] {
  const detected = variables.filter(({ from }) => from !== 'given' && from !== 'nobody');
  return table(detected.map(({ name, value, from }) => [`  ${plain(name)}`, plain(value), `(${plain(from)})`]));
}
