import { type CelBudget, CelError } from './budget.ts';
import {
  CelCidr,
  CelDuration,
  CelInstant,
  CelIp,
  CelOptional,
  CelQuantity,
  CelType,
  CelUint,
  type CelValue,
  typeOf,
} from './values.ts';

/**
 * Decides whether two values are equal (cel-spec, "Equality"): numbers by what they are worth, and nothing else of two
 * types.
 */
export function equals(one: CelValue, other: CelValue, budget: CelBudget): boolean {
  budget.spend(1);
  if (one instanceof CelUint) return equals(one.value, other, budget);
  if (other instanceof CelUint) return equals(one, other.value, budget);
  if (isNumber(one) && isNumber(other)) return one <= other && one >= other;
  if (typeof one === 'string' && typeof other === 'string') {
    budget.spendText(Math.min(one.length, other.length));
    return one === other;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => equals(entry, other[index]!, budget));
  }
  if (one instanceof Map && other instanceof Map) {
    if (one.size !== other.size) return false;
    return [...one].every(([key, entry]) => other.has(key) && equals(entry, other.get(key)!, budget));
  }
  if (one instanceof Uint8Array && other instanceof Uint8Array) return compare(one, other, budget) === 0;
  if (one instanceof CelIp && other instanceof CelIp) return one.family === other.family && one.value === other.value;
  if (one instanceof CelCidr && other instanceof CelCidr) {
    return one.length === other.length && equals(one.ip, other.ip, budget);
  }
  if (one instanceof CelInstant && other instanceof CelInstant) return one.nanoseconds === other.nanoseconds;
  if (one instanceof CelDuration && other instanceof CelDuration) return one.nanoseconds === other.nanoseconds;
  if (one instanceof CelQuantity && other instanceof CelQuantity) return one.billionths === other.billionths;
  if (one instanceof CelType && other instanceof CelType) return one.name === other.name;
  if (one instanceof CelOptional && other instanceof CelOptional) {
    if (one.value === undefined || other.value === undefined) return one.value === other.value;
    return equals(one.value, other.value, budget);
  }
  return one === other;
}

/** Compares two values that have an order: below zero where the first is less. Throws `CelError` for others. */
export function compare(one: CelValue, other: CelValue, budget: CelBudget): number {
  if (one instanceof CelUint) return compare(one.value, other, budget);
  if (other instanceof CelUint) return compare(one, other.value, budget);
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : one > other ? 1 : one <= other ? 0 : Number.NaN;
  if (typeof one === 'string' && typeof other === 'string') {
    budget.spendText(Math.min(one.length, other.length));
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    budget.spendText(Math.min(one.length, other.length));
    return Buffer.compare(one, other);
  }
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other);
  if (one instanceof CelInstant && other instanceof CelInstant) return sign(one.nanoseconds - other.nanoseconds);
  if (one instanceof CelDuration && other instanceof CelDuration) return sign(one.nanoseconds - other.nanoseconds);
  throw new CelError(`${typeOf(one)} and ${typeOf(other)} have no order`);
}

/** Returns -1, 0 or 1. */
export function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** Decides whether a value is a number, whole or not. */
export function isNumber(value: CelValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
