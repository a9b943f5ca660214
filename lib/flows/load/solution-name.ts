import { basename } from 'node:path';
import { isLabel } from '../../../formats/solution/names.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { folderLabel } from '../../parts/components/index.ts';

/**
 * Names the Solution that a tree is brought up as: the name that was given, otherwise that of its folder as an RFC 1123
 * label, such as `components-d`. Throws `usage-invalid`.
 */
export function solutionName(folder: string, given: string | undefined): string {
  if (given !== undefined && !isLabel(given)) {
    throw new SolpackError('usage-invalid', given, 'is not a name that Kubernetes accepts', {
      hint: 'a name has 1 to 63 of a-z, 0-9 and "-", and no "-" at either end',
    });
  }
  const name = given ?? folderLabel(basename(folder));
  if (name !== undefined) return name;
  throw new SolpackError('usage-invalid', folder, 'has no name that a Solution could have', { hint: 'give --name' });
}
