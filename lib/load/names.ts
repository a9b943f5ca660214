import { basename } from 'node:path';
import { isLabel } from '../../formats/solution/names.ts';
import { SolpackError } from '../errors.ts';

/** Tells whether a folder is named as components are: three digits, `-`, a name. */
export function isConventional(folder: string): boolean {
  return /^[0-9]{3}-[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(folder);
}

/**
 * Names the component that a folder's name stands for: what follows its number, as an RFC 1123 label. `010-web` and `20-web`
 * are both `web`. Undefined where nothing of the name can be in a label.
 */
export function componentName(folder: string): string | undefined {
  return labelOf(folder.replace(/^[0-9]+-/, '')) ?? labelOf(folder);
}

/**
 * Names the Solution that a tree is brought up as: the name that was given, else that of its folder as an RFC 1123 label, such
 * as `components-d`. Throws `usage-invalid`.
 */
export function solutionName(folder: string, given: string | undefined): string {
  if (given !== undefined && !isLabel(given)) {
    throw new SolpackError('usage-invalid', given, 'is not a name that Kubernetes takes', {
      hint: 'a name has 1 to 63 of a-z, 0-9 and "-", and no "-" at either end',
    });
  }
  const name = given ?? labelOf(basename(folder));
  if (name !== undefined) return name;
  throw new SolpackError('usage-invalid', folder, 'has no name that a Solution could have', { hint: 'give --name' });
}

function labelOf(text: string): string | undefined {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 63)
    .replace(/-$/, '');
  return label === '' ? undefined : label;
}
