import type { CallExpression, NewExpression } from 'oxc-parser';
import { checkSync } from 'recheck';
import { lineOf, type Sources, visit } from './code.ts';

/** A regular expression as it is written. */
export interface Pattern {
  /** `path:line`. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** Lists every regular expression that is written between slashes. */
export function patternsOf(sources: Sources): Pattern[] {
  const found: Pattern[] = [];
  for (const [path, code] of sources) {
    visit(code, {
      Literal: (node) => {
        if (!('regex' in node)) return;
        found.push({ at: `${path}:${lineOf(code, node.start)}`, source: node.regex.pattern, flags: node.regex.flags });
      },
    });
  }
  return found;
}

/** Finds where a regular expression is made of something else than what is written between slashes. */
export function madePatterns(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const found: string[] = [];
    const look = ({ callee, start }: CallExpression | NewExpression): void => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') found.push(`${path}:${lineOf(source, start)}`);
    };
    visit(source, { CallExpression: look, NewExpression: look });
    return found;
  });
}

/**
 * Why an expression may take more than the time of its input, by recheck (https://makenowjust-labs.github.io/recheck/);
 * undefined where it does not. One that is asked where it is told to (`y`) is judged as if it were anchored; of one
 * that is asked again and again (`g`), each alternative alone, since a search goes on behind the short ones.
 */
export function slowness({ source, flags }: Pattern): string | undefined {
  if (!isUnbounded(source)) return undefined;
  // The same everywhere, and no matter how busy the machine is: in this process, and without clocks.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
  const forms = flags.includes('y') ? [`^(?:${source})`] : flags.includes('g') ? formsOf(source) : [source];
  for (const form of forms) {
    const found = checkSync(form, flags.replace(/[gy]/g, ''), {
      timeout: null,
      attackTimeout: null,
      incubationTimeout: null,
      attackLimit: 10_000_000,
      // Beyond this the search for an attack takes less time than the proof that there is none.
      maxNFASize: 2000,
      randomSeed: 1,
    });
    if (found.status !== 'safe') return found.status === 'unknown' ? found.error.kind : found.complexity.summary;
  }
  return undefined;
}

/** Whether anything may be repeated without end: all else takes a time that has a bound. */
function isUnbounded(source: string): boolean {
  return /[*+]|\{\d+,\}/.test(withoutClasses(source));
}

/**
 * The expression with each alternative in the place of all of its group, one group at a time; it alone where it has
 * none.
 */
function formsOf(source: string): string[] {
  const plain = withoutClasses(source);
  const forms: string[] = [];
  const open: number[][] = [[-1]];
  for (let at = 0; at <= plain.length; at += 1) {
    const bars = open.at(-1)!;
    if (plain[at] === '(') open.push([at + (/^\((?:\?[:=!]|\?<[=!])?/.exec(plain.slice(at))?.[0].length ?? 1) - 1]);
    else if (plain[at] === '|') bars.push(at);
    else if (plain[at] === ')' || at === plain.length) {
      open.pop();
      // What is repeated is judged as a whole.
      if (bars.length === 1 || /^[*+?{]/.test(plain.slice(at + 1))) continue;
      for (const [index, bar] of bars.entries()) {
        const [from, to] = [bar + 1, bars[index + 1] ?? at];
        forms.push(source.slice(0, bars[0]! + 1) + source.slice(from, to) + source.slice(at));
      }
    }
  }
  return forms.length > 0 ? forms : [source];
}

/** With letters in the place of escapes and of classes, so that what is left are operators. */
function withoutClasses(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, (part) => 'x'.repeat(part.length));
}
