import type { z } from '../schema.ts';
import { MISSING, nearestForm } from '../schema-words.ts';
import { nearest } from './suggest.ts';

/** Describes one thing that is wrong with a field of a document. */
export interface Problem {
  /** The field, such as `images.0.reference`; '' is the document itself. */
  readonly path: string;
  readonly message: string;
  /** Whether it is the name of the field that is wrong, rather than its value. */
  readonly ofName?: boolean;
}

/** Turns the issues of a schema into problems, one for each unknown field, with a guess at what was meant. */
export function problemsOf(error: z.ZodError, known: (path: string) => readonly string[]): Problem[] {
  const all = error.issues.flatMap((issue) => problemsIn(issue, known));
  // Two checks of one value may say the same of it.
  const problems = [...new Map(all.map((one) => [JSON.stringify([one.path, one.message]), one])).values()];
  // A field that is missing because its name was misspelt is reported once, where the slip is.
  return problems.filter(({ path, message }) => !message.startsWith(MISSING) || !misspelt(path, problems));
}

function problemsIn(issue: z.core.$ZodIssue, known: (path: string) => readonly string[]): Problem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path ? `${path}.${key}` : key,
      message: `unknown field${guess(key, known(path))}`,
      ofName: true,
    }));
  }
  if (issue.input === undefined) return [{ path, message: missingWords(issue.message) }];
  if (issue.code === 'invalid_union') {
    const inner = nearestForm(issue.errors);
    if (inner) return inner.flatMap((one) => problemsIn({ ...one, path: [...issue.path, ...one.path] }, known));
  }
  if (issue.code === 'invalid_value' && typeof issue.input === 'string') {
    return [{ path, message: `${issue.message}${guess(issue.input, issue.values.map(String))}` }];
  }
  return [{ path, message: issue.message, ...(issue.code === 'invalid_key' ? { ofName: true } : {}) }];
}

/** Schemas that have words of their own say them of what is not there, too. */
function missingWords(message: string): string {
  return message.startsWith(MISSING) ? message : MISSING;
}

function misspelt(path: string, problems: readonly Problem[]): boolean {
  const [parent, name] = [path.slice(0, path.lastIndexOf('.') + 1), path.slice(path.lastIndexOf('.') + 1)];
  return problems.some((other) => other.path.startsWith(parent) && other.message.endsWith(`did you mean "${name}"?`));
}

function guess(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}
