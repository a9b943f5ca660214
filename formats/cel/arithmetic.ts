import { type CelBudget, CelError } from './budget.ts';
import { CelDuration, CelInstant, CelUint, type CelValue, int64, typeOf } from './values.ts';

/**
 * Calculates `one operator other` (cel-spec, "Arithmetic Operators"). Throws `CelError` where the types have no such
 * operator.
 */
export function calculate(operator: string, one: CelValue, other: CelValue, budget: CelBudget): CelValue {
  if (typeof one === 'bigint' && typeof other === 'bigint') return whole(operator, one, other);
  if (one instanceof CelUint && other instanceof CelUint) {
    return new CelUint(calculated(operator, one.value, other.value));
  }
  if (typeof one === 'number' && typeof other === 'number') {
    if (operator === '+') return one + other;
    if (operator === '-') return one - other;
    if (operator === '*') return one * other;
    if (operator === '/') return one / other;
  }
  const result = operator === '+' ? added(one, other, budget) : operator === '-' ? taken(one, other) : undefined;
  if (result !== undefined) return result;
  throw new CelError(`no such overload: ${typeOf(one)} ${operator} ${typeOf(other)}`);
}

/** Calculates `-value`. */
export function negate(value: CelValue): CelValue {
  if (typeof value === 'bigint') return int64(-value);
  if (typeof value === 'number') return -value;
  throw new CelError(`no such overload: -${typeOf(value)}`);
}

function whole(operator: string, one: bigint, other: bigint): bigint {
  return int64(calculated(operator, one, other));
}

function calculated(operator: string, one: bigint, other: bigint): bigint {
  if (operator === '+') return one + other;
  if (operator === '-') return one - other;
  if (operator === '*') return one * other;
  if (other === 0n) throw new CelError(operator === '/' ? 'division by zero' : 'modulus by zero');
  return operator === '/' ? one / other : one % other;
}

function added(one: CelValue, other: CelValue, budget: CelBudget): CelValue | undefined {
  if (typeof one === 'string' && typeof other === 'string') {
    budget.spendText(one.length + other.length);
    return one + other;
  }
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    budget.spendText(one.length + other.length);
    return Buffer.concat([one, other]);
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    budget.spend(one.length + other.length);
    return [...one, ...other];
  }
  if (one instanceof CelInstant && other instanceof CelDuration) {
    return new CelInstant(one.nanoseconds + other.nanoseconds);
  }
  if (one instanceof CelDuration && other instanceof CelInstant) {
    return new CelInstant(one.nanoseconds + other.nanoseconds);
  }
  if (one instanceof CelDuration && other instanceof CelDuration) {
    return new CelDuration(int64(one.nanoseconds + other.nanoseconds));
  }
  return undefined;
}

function taken(one: CelValue, other: CelValue): CelValue | undefined {
  if (one instanceof CelInstant && other instanceof CelInstant) {
    return new CelDuration(int64(one.nanoseconds - other.nanoseconds));
  }
  if (one instanceof CelInstant && other instanceof CelDuration) {
    return new CelInstant(one.nanoseconds - other.nanoseconds);
  }
  if (one instanceof CelDuration && other instanceof CelDuration) {
    return new CelDuration(int64(one.nanoseconds - other.nanoseconds));
  }
  return undefined;
}
