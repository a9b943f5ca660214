import { readFile } from '../../../kernel/files/index.ts';
import { isThere } from '../../../kernel/machine/index.ts';
import type { Origin } from './origin.ts';

/** The origin of a document that the operator has named on this machine: it may name what its operator may read. */
export function machineOrigin(environment: Readonly<Record<string, string>> = {}): Origin {
  return {
    readFile,
    variable: (name) => environment[name],
    isThere,
    reach: (path, work) => work(path),
    placeOf: (path) => path,
    requireAddress: () => undefined,
    requireRepository: () => undefined,
  };
}
