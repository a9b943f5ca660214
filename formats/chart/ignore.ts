import { FormatError } from '../error.ts';
import { globTest } from '../glob.ts';

interface Rule {
  readonly negated: boolean;
  /** Applies to folders alone. */
  readonly folders: boolean;
  /** Matches the last name of a path, not the whole. */
  readonly base: boolean;
  readonly matches: (text: string) => boolean;
}

/** Whether a path, relative to the chart, is left out of it; what a left out folder holds is left out too. */
export type Ignored = (path: string, isFolder: boolean) => boolean;

// Helm adds this one to every chart: hidden files are no templates.
const always = 'templates/.?*';

/**
 * Reads a `.helmignore` file: one pattern a line, `#` for comments; `*`, `?` and `[…]` match within a name; a pattern
 * with `/` in front or in the middle matches the whole path, any other the last name; `/` at its end limits it to
 * folders; `!` in front inverts it, which in Helm means that all it does not match is left out. Throws `FormatError`
 * `chart-invalid` where Helm refuses a line, such as one with `**` (Helm, "The .helmignore file").
 */
export function parseIgnore(text: string): Ignored {
  const rules = [...text.split('\n'), always].flatMap((line, at) => ruleOf(line.trim(), at + 1));
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { negated, folders, base, matches } of rules) {
      const applies = (isFolder || !folders) && matches(base ? name : path);
      if (applies !== negated) return true;
    }
    return false;
  };
}

function ruleOf(line: string, number: number): Rule[] {
  if (line === '' || line.startsWith('#')) return [];
  if (line.includes('**')) {
    throw new FormatError('chart-invalid', `.helmignore:${number}: Helm does not know the pattern **`);
  }
  const negated = line.startsWith('!');
  const folders = line.endsWith('/');
  const body = line.slice(negated ? 1 : 0, folders ? -1 : undefined);
  const rooted = body.startsWith('/');
  const glob = rooted ? body.slice(1) : body;
  const matches = globTest(glob);
  if (matches) return [{ negated, folders, base: !rooted && !body.includes('/'), matches }];
  throw new FormatError('chart-invalid', `.helmignore:${number}: the pattern ${glob} is not well-formed`);
}
