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
    /** The line of the profile that says it, also where a flag says something else. */
    readonly line?: number;
    /** The flag that the value comes from. */
    readonly flag?: string;
    /** A flag in whose presence the setting counts for nothing. */
    readonly replacedBy?: string;
    readonly source?: 'flag' | 'profile' | 'default';
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
      said.map((setting) => [
        `  ${setting.key}`,
        plain(words(setting.value ?? setting.default)),
        style.dim(sourceWords(setting)),
      ]),
    ),
    ...(rest.length === 0 ? [] : ['not set']),
    ...table(rest.map(({ key, title }) => [`  ${key}`, style.dim(title)])),
  ];
}

function sourceWords({ value, line, flag, replacedBy }: ShownProfile['settings'][number]): string {
  if (flag !== undefined) return line === undefined ? `flag ${flag}` : `flag ${flag}, instead of line ${line}`;
  if (replacedBy !== undefined) return `line ${line}, without effect beside ${replacedBy}`;
  return value === undefined ? 'default' : `line ${line}`;
}
