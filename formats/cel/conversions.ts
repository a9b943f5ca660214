import { CelError } from './budget.ts';
import type { CelFunctions } from './function.ts';
import { durationText, instantText, readDuration, readInstant } from './times.ts';
import { CelDuration, CelInstant, CelType, type CelValue, int64, typeOf } from './values.ts';

const truths: Readonly<Record<string, boolean>> = {
  ...{ '1': true, t: true, true: true, TRUE: true, True: true },
  ...{ '0': false, f: false, false: false, FALSE: false, False: false },
};

/** Functions that make a value of one type of one of another (cel-spec, "Type Conversions"). */
export const conversions: CelFunctions = {
  dyn: { apply: ([one]) => one },
  type: { apply: ([one]) => (one === undefined ? undefined : new CelType(typeOf(one))) },
  int: { apply: ([one]) => toInt(one!) },
  double: { apply: ([one]) => toDouble(one!) },
  string: { apply: ([one]) => toText(one!) },
  bool: {
    apply: ([one]) => {
      if (typeof one === 'boolean') return one;
      if (typeof one !== 'string') return undefined;
      if (!Object.hasOwn(truths, one)) throw new CelError(`"${one.slice(0, 40)}" is no bool`);
      return truths[one];
    },
  },
  timestamp: {
    apply: ([one]) => {
      if (one instanceof CelInstant) return one;
      if (typeof one === 'bigint') return new CelInstant(one * 1_000_000_000n);
      return typeof one === 'string' ? readInstant(one) : undefined;
    },
  },
  duration: {
    apply: ([one]) => {
      if (one instanceof CelDuration) return one;
      return typeof one === 'string' ? readDuration(one) : undefined;
    },
  },
};

function toInt(one: CelValue): bigint | undefined {
  if (typeof one === 'bigint') return one;
  if (typeof one === 'number') {
    if (!Number.isFinite(one)) throw new CelError('integer overflow');
    return int64(BigInt(Math.trunc(one)));
  }
  if (one instanceof CelInstant) return one.nanoseconds / 1_000_000_000n;
  if (typeof one !== 'string') return undefined;
  if (!/^[-+]?\d{1,19}$/.test(one)) throw new CelError(`"${one.slice(0, 40)}" is no int`);
  return int64(BigInt(one.replace('+', '')));
}

function toDouble(one: CelValue): number | undefined {
  if (typeof one === 'bigint' || typeof one === 'number') return Number(one);
  if (typeof one !== 'string') return undefined;
  if (!/^[-+]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][-+]?\d{1,4})?$/.test(one)) {
    throw new CelError(`"${one.slice(0, 40)}" is no double`);
  }
  return Number(one);
}

function toText(one: CelValue): string | undefined {
  if (typeof one === 'string') return one;
  if (typeof one === 'boolean' || typeof one === 'bigint' || typeof one === 'number') return String(one);
  if (one instanceof CelInstant) return instantText(one);
  return one instanceof CelDuration ? durationText(one) : undefined;
}
