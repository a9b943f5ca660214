import type { InstallResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** How many addresses of an object are reported. */
const SHOWN = 4;

/**
 * Says what to look at once an install has brought objects to a cluster: where they answer, and the command that says
 * how they are.
 */
export function nextView({ generation, exposed = [] }: InstallResult, status: string, style: Style): string[] {
  if (generation === undefined) return [];
  const places = exposed.flatMap(({ object, addresses }) => {
    const shown = addresses.length > SHOWN ? addresses.slice(0, SHOWN - 1) : addresses;
    const left = addresses.length - shown.length;
    const words = [...shown.map(plain), ...(left > 0 ? [`and ${left} more`] : [])];
    return words.map((address, index) => [address, index === 0 ? plain(object) : '']);
  });
  const width = places.length === 0 ? 'next'.length : 'answers at'.length;
  const below = (title: string): string => `${style.bold(title)}${' '.repeat(width - title.length + 2)}`;
  return [
    ...table(places).map((row, index) => `${below(index === 0 ? 'answers at' : '')}${row}`),
    `${below('next')}${plain(status)}`,
  ];
}
