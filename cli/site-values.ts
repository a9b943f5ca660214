import type { HandedValues } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';

/** What commands say of the option that hands in values files. */
export const valuesOption = {
  flags: '--values <component=file>',
  description:
    'values of the site for a chart, above those of the archive; SOLUTION/COMPONENT=FILE if several have the component;\n' +
    'may be repeated: later ones win',
} as const;

/**
 * Parses settings `[SOLUTION/]COMPONENT=FILE`; paths are relative to where the command was started. Throws
 * `usage-invalid`.
 */
export function handedValues(io: Io, settings: readonly string[]): HandedValues[] {
  return settings.map((setting) => {
    const [, solution, component, file] = /^(?:([^/=]+)\/)?([^/=]+)=(.+)$/s.exec(setting) ?? [];
    if (component === undefined || file === undefined) {
      throw usage(
        '--values',
        `${JSON.stringify(setting)} is not COMPONENT=FILE`,
        'write it so, or SOLUTION/COMPONENT=FILE',
      );
    }
    return { solution, component, file: absolute(io, file) };
  });
}
