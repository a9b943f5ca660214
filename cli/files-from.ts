import type { FilesFrom } from '../lib/index.ts';
import { usage } from './arguments.ts';

/** Returns where files of Pods come from. Throws `usage-invalid`. */
export function filesFrom(option: string, value: string | undefined): FilesFrom | undefined {
  if (value === undefined) return undefined;
  if (value.startsWith('/')) return { hostPath: value };
  if (/^claim:./.test(value)) return { claim: value.slice('claim:'.length) };
  throw usage(option, `${JSON.stringify(value)} is not a place`, 'write /FOLDER of the nodes, or claim:NAME');
}
