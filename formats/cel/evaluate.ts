import type { ASTNode } from '@marcbachmann/cel-js';
import { calculate, negate } from './arithmetic.ts';
import { type CelBudget, CelError } from './budget.ts';
import { compare, equals } from './compare.ts';
import { call } from './functions.ts';
import { type CelEntry, hasTwoVariables, type Iteration, isIteration, iterate, iterateEntries } from './iterations.ts';
import { CelOptional, CelType, CelUint, type CelValue, typeOf } from './values.ts';

/** The names that an expression may use. */
export type CelScope = ReadonlyMap<string, CelValue>;

/** The names of types, which are values themselves. */
const types: ReadonlySet<string> = new Set([
  'int',
  'double',
  'string',
  'bool',
  'list',
  'map',
  'null_type',
  'type',
  'uint',
  'bytes',
]);

/** What functions have before their dot that is not a value. */
const namespaces: ReadonlySet<string> = new Set(['optional', 'sets', 'ip']);

/**
 * Evaluates an expression (cel-spec, "Evaluation"). Throws `CelError` where it has no value, and `CelBudgetError` where
 * it takes more work than the budget has.
 */
export function evaluateNode(node: ASTNode, scope: CelScope, budget: CelBudget): CelValue {
  budget.spend(1);
  const value = (part: ASTNode): CelValue => evaluateNode(part, scope, budget);
  switch (node.op) {
    case 'value':
      return literalOf(node.args);
    case 'id':
      return named(node.args, scope);
    case '.':
      return fieldOf(value(node.args[0]), node.args[1]);
    case '.?':
      return optionalOf(value(node.args[0]), node.args[1]);
    case '[]':
      return fieldOf(value(node.args[0]), value(node.args[1]));
    case '[?]':
      return optionalOf(value(node.args[0]), value(node.args[1]));
    case 'list':
      return node.args.map(value);
    case 'map':
      return mapOf(node.args.map(([key, entry]) => [value(key), value(entry)]));
    case '?:':
      return value(truth(value(node.args[0])) ? node.args[1] : node.args[2]);
    case '&&':
      return either(node.args, false, value);
    case '||':
      return either(node.args, true, value);
    case '!_':
      return !truth(value(node.args));
    case '-_':
      return negate(value(node.args));
    case 'call':
      return node.args[0] === 'has'
        ? isThere(node.args[1][0]!, scope, budget)
        : call(node.args[0], node.args[1].map(value), budget);
    case 'rcall': {
      const [name, receiver, given] = node.args;
      if (!isIteration(name)) return call(`.${name}`, [value(receiver), ...given.map(value)], budget);
      return iterated({ name, over: value(receiver), given }, scope, budget);
    }
    default:
      return binary(node.op, value(node.args[0]), value(node.args[1]), budget);
  }
}

/** Makes a value of what the parser has of a literal. */
function literalOf(value: unknown): CelValue {
  // Of objects it has bytes, and numbers without a sign, whose class it keeps to itself.
  const isNumber = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isNumber ? new CelUint(BigInt(String(value))) : (value as CelValue);
}

function named(name: string, scope: CelScope): CelValue {
  const known = scope.get(name);
  if (known !== undefined) return known;
  if (types.has(name) || namespaces.has(name)) return new CelType(name);
  throw new CelError(`nothing is named ${name}`);
}

function binary(operator: string, one: CelValue, other: CelValue, budget: CelBudget): CelValue {
  if (operator === '==') return equals(one, other, budget);
  if (operator === '!=') return !equals(one, other, budget);
  if (operator === '<') return compare(one, other, budget) < 0;
  if (operator === '<=') return compare(one, other, budget) <= 0;
  if (operator === '>') return compare(one, other, budget) > 0;
  if (operator === '>=') return compare(one, other, budget) >= 0;
  if (operator !== 'in') return calculate(operator, one, other, budget);
  if (Array.isArray(other)) return other.some((entry) => equals(one, entry, budget));
  if (other instanceof Map) return entryOf(other, one) !== undefined;
  throw new CelError(`no such overload: ${typeOf(one)} in ${typeOf(other)}`);
}

/** Evaluates `&&` and `||`: what decides alone does so even where the other part has no value. */
function either(parts: readonly ASTNode[], decisive: boolean, value: (part: ASTNode) => CelValue): boolean {
  let failure: CelError | undefined;
  for (const part of parts) {
    try {
      if (truth(value(part)) === decisive) return decisive;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return !decisive;
}

function truth(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError(`expected a bool, but found ${typeOf(value)}`);
}

function mapOf(entries: readonly (readonly [CelValue, CelValue])[]): CelValue {
  const map = new Map<CelValue, CelValue>();
  for (const [written, entry] of entries) {
    const key = written instanceof CelUint ? written.value : written;
    if (!['string', 'bigint', 'boolean'].includes(typeof key))
      throw new CelError(`${typeOf(key)} is not a key of a map`);
    if (map.has(key)) throw new CelError('a key of a map is there twice');
    map.set(key, entry);
  }
  return map;
}

function entryOf(value: CelValue, key: CelValue): CelValue | undefined {
  if (key instanceof CelUint) return entryOf(value, key.value);
  if (value instanceof Map) {
    if (typeof key === 'number' && Number.isSafeInteger(key)) return value.get(BigInt(key));
    return value.get(key);
  }
  if (!Array.isArray(value)) throw new CelError(`${typeOf(value)} has no fields`);
  const at = typeof key === 'bigint' || (typeof key === 'number' && Number.isInteger(key)) ? Number(key) : undefined;
  if (at === undefined) throw new CelError(`${typeOf(key)} is no place in a list`);
  return value[at];
}

function fieldOf(value: CelValue, key: CelValue): CelValue {
  if (value instanceof CelOptional) {
    return value.value === undefined ? value : optionalOf(value.value, key);
  }
  const found = entryOf(value, key);
  if (found !== undefined) return found;
  if (typeof key === 'string') throw new CelError(`no such key: ${key}`);
  throw new CelError(Array.isArray(value) ? `index out of bounds: ${key}` : `no such key: ${key}`);
}

function optionalOf(value: CelValue, key: CelValue): CelOptional {
  if (value instanceof CelOptional) return value.value === undefined ? value : optionalOf(value.value, key);
  return new CelOptional(entryOf(value, key));
}

function isThere(node: ASTNode, scope: CelScope, budget: CelBudget): boolean {
  if (node.op !== '.') throw new CelError('has() needs a field');
  const value = evaluateNode(node.args[0], scope, budget);
  if (value instanceof CelOptional)
    return value.value !== undefined && entryOf(value.value, node.args[1]) !== undefined;
  if (!(value instanceof Map)) throw new CelError(`${typeOf(value)} has no fields`);
  return value.has(node.args[1]);
}

/** The same for macros that name two variables: of a list the place and the element, of a map the key and the value. */
function iteratedBoth(
  { name, over, given }: { readonly name: Iteration; readonly over: CelValue; readonly given: readonly ASTNode[] },
  scope: CelScope,
  budget: CelBudget,
): CelValue {
  const entries = over instanceof Map ? [...over] : Array.isArray(over) ? [...over.entries()] : undefined;
  if (entries === undefined) throw new CelError(`${typeOf(over)} has no elements`);
  const [first, second, ...bodies] = given;
  const placed = entries.map(([key, value]): CelEntry => [typeof key === 'number' ? BigInt(key) : key, value]);
  const within = (body: ASTNode, [key, value]: CelEntry): CelValue => {
    budget.spend(1);
    const names: readonly CelEntry[] = [
      [String(first!.args), key],
      [String(second!.args), value],
    ];
    return evaluateNode(body, new Map([...scope, ...(names as readonly [string, CelValue][])]), budget);
  };
  return iterateEntries(
    name,
    placed,
    bodies.map((body) => (entry: CelEntry) => within(body, entry)),
    truth,
  );
}

/** Does something for each element of a list, or each key of a map. */
function iterated(
  { name, over, given }: { readonly name: Iteration; readonly over: CelValue; readonly given: readonly ASTNode[] },
  scope: CelScope,
  budget: CelBudget,
): CelValue {
  if (hasTwoVariables(name, given.length)) return iteratedBoth({ name, over, given }, scope, budget);
  const elements = over instanceof Map ? [...over.keys()] : over;
  if (!Array.isArray(elements)) throw new CelError(`${typeOf(over)} has no elements`);
  const [variable, ...bodies] = given;
  const within = (body: ASTNode, element: CelValue): CelValue => {
    budget.spend(1);
    return evaluateNode(body, new Map([...scope, [String(variable!.args), element]]), budget);
  };
  return iterate(
    name,
    elements,
    bodies.map((body) => (element: CelValue) => within(body, element)),
    truth,
  );
}
