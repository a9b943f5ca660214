import { formatErrors } from '../../../formats/error.ts';
import { findings } from '../../kernel/content/index.ts';
import { errorInfo, SolpackError } from '../../kernel/events/index.ts';
import { meantWord } from '../../kernel/suggest.ts';
import { closureFindings } from '../../shared/rendering/index.ts';
import { errorAdvice } from './errors.ts';
import { describedFile } from './files.ts';
import { closureAdvice, findingAdvice, reasonAdvice } from './findings.ts';

export type {
  /** What a file that users write may say. */
  FileExplanation,
} from './files.ts';

/** The kind of a code: an error, a finding of `verify` or of `check`, or the reason that a format gives. */
export type ExplainedKind = 'error' | 'verify' | 'check' | 'reason';

/** The meaning of a code. `docs/errors.md` says the same. */
export interface Explanation {
  readonly code: string;
  readonly kind: ExplainedKind;
  /** A sentence without its full stop. */
  readonly meaning: string;
  readonly advice: string;
  /** The exit code of a command that ends with this error; absent where the code is none of an error. */
  readonly exit?: number;
}

/** Returns the meaning of every code, errors first. One code may have two meanings. */
export function explanations(): readonly Explanation[] {
  return [
    ...Object.entries(errorInfo).map(([code, { title, exit }]) => {
      const advice = errorAdvice[code as keyof typeof errorInfo];
      return { code, kind: 'error' as const, meaning: title, advice, exit };
    }),
    ...explained('verify', findings, (code) => findingAdvice[code]),
    ...explained('check', closureFindings, (code) => closureAdvice[code]),
    ...explained('reason', formatErrors, (code) => reasonAdvice.find(([start]) => code.startsWith(start))![1]),
  ];
}

function explained<Code extends string>(
  kind: ExplainedKind,
  titles: Readonly<Record<Code, string>>,
  adviceOn: (code: Code) => string,
): Explanation[] {
  return (Object.keys(titles) as Code[]).map((code) => ({ code, kind, meaning: titles[code], advice: adviceOn(code) }));
}

/**
 * Returns all meanings of a code; brackets around it do not matter. Throws `usage-invalid` for an unknown code, with
 * the code that was probably meant.
 */
export function explainCode(given: string): readonly Explanation[] {
  const code = given
    .trim()
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  const all = explanations();
  const found = all.filter((one) => one.code === code);
  if (found.length > 0) return found;
  const [what, hint] = describedFile(given) ?? [];
  if (what !== undefined && hint !== undefined) throw new SolpackError('usage-invalid', given, what, { hint });
  const meant = meantWord(code, [...new Set(all.map((one) => one.code))]);
  throw new SolpackError('usage-invalid', given, 'is neither a code of solpack nor a file that it explains', {
    hint:
      meant === undefined
        ? '"solpack explain" lists all codes; the files are solution.toml, solutions.yaml, trust.toml and profile.toml'
        : `did you mean ${meant}?`,
  });
}
