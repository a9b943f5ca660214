import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** A profile as it is printed. */
export interface ShownProfile {
  readonly path: string;
  readonly exists: boolean;
  readonly settings: readonly {
    readonly key: string;
    readonly title: string;
    readonly value?: string | boolean | number | readonly string[];
    readonly line?: number;
    readonly default?: string | boolean | number;
  }[];
}

/** Describes a profile for a person. */
export function profileView({ path, exists, settings }: ShownProfile, style: Style): string[] {
  const said = settings.filter((one) => one.value !== undefined || one.default !== undefined);
  const rest = settings.filter((one) => !said.includes(one));
  const words = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value));
  return [
    `${style.bold('profile')} ${plain(path)}${exists ? '' : '  which is not there'}`,
    ...table(
      said.map(({ key, value, line, default: usual }) => [
        `  ${key}`,
        plain(words(value ?? usual)),
        style.dim(value === undefined ? 'default' : `line ${line}`),
      ]),
    ),
    ...(rest.length === 0 ? [] : ['not set']),
    ...table(rest.map(({ key, title }) => [`  ${key}`, style.dim(title)])),
  ];
}
