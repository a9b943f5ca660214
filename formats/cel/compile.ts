import type { ASTNode } from '@marcbachmann/cel-js';
import { FormatError } from '../error.ts';
import { Pattern } from '../json-schema/pattern.ts';
import { PatternError } from '../json-schema/pattern-syntax.ts';
import { CelBudget } from './budget.ts';
import { conversions } from './conversions.ts';
import { celLimits, makeEnvironment } from './environment.ts';
import { evaluateNode } from './evaluate.ts';
import { celFunctions } from './functions.ts';
import { isIteration, lacksParts } from './iterations.ts';
import { typeNothing } from './types-of-nothing.ts';

/** An expression that was checked. */
export interface CelProgram {
  readonly source: string;
  readonly root: ASTNode;
}

let environment: ReturnType<typeof makeEnvironment> | undefined;

/**
 * Parses an expression over `self`, and checks its types as far as they are known: what it selects of `self` may be
 * anything, and it has to give a bool. Throws `FormatError` `cel-invalid`.
 */
export function compileCel(source: string): CelProgram {
  if (source.length > celLimits.length) throw invalid(`it has more than ${celLimits.length} characters`);
  environment ??= makeEnvironment();
  const parsed = attempt(() => environment!.parse(source));
  typeAll(parsed.ast);
  const { valid, type, error } = parsed.check();
  if (!valid) throw invalid(wordsOf(error));
  if (type !== 'bool' && type !== 'dyn') throw invalid(`it gives ${type}, not a bool`);
  requireKnown(parsed.ast);
  return { source, root: parsed.ast };
}

/** Lists the parts of a part of an expression. */
export function operandsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

function typeAll(node: ASTNode): void {
  typeNothing(node);
  for (const part of operandsOf(node)) typeAll(part);
}

/** The parser may know what Kubernetes does not. */
function requireKnown(node: ASTNode): void {
  if (node.op === 'id' && node.args === 'google') throw invalid('names of types in packages are not supported');
  if (node.op === 'call' && node.args[0] !== 'has' && !Object.hasOwn(celFunctions, node.args[0])) {
    throw unknownFunction(node.args[0]);
  }
  if (node.op === 'rcall' && !isIteration(node.args[0]) && !Object.hasOwn(celFunctions, `.${node.args[0]}`)) {
    throw unknownFunction(node.args[0]);
  }
  if (node.op === 'rcall' && isIteration(node.args[0]) && lacksParts(node.args[0], node.args[2].length)) {
    throw invalid(`${node.args[0]} lacks the expression for each element`);
  }
  if (node.op === 'call' && node.args[0] in conversions && node.args[1].every(({ op }) => op === 'value')) {
    attempt(() => evaluateNode(node, new Map(), new CelBudget(celLimits.length)));
  }
  const pattern = patternOf(node);
  if (pattern !== undefined) attempt(() => new Pattern(pattern));
  for (const part of operandsOf(node)) requireKnown(part);
}

/** Returns the pattern that a call of `matches` states. */
function patternOf(node: ASTNode): string | undefined {
  if (node.op !== 'call' && node.op !== 'rcall') return undefined;
  if (node.args[0] !== 'matches') return undefined;
  const last = (node.op === 'call' ? node.args[1] : node.args[2]).at(-1);
  return last?.op === 'value' && typeof last.args === 'string' ? last.args : undefined;
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PatternError) throw invalid(`its pattern ${error.message}`);
    throw invalid(wordsOf(error));
  }
}

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!.trim();
}

function unknownFunction(name: string): FormatError {
  return invalid(`it calls ${name}, which probes do not support: "solpack docs format#probes" lists the functions`);
}

function invalid(why: string): FormatError {
  return new FormatError('cel-invalid', `not a CEL expression about the readiness of an object: ${why}`);
}
