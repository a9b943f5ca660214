import { CelError } from './budget.ts';
import type { CelFunctions } from './function.ts';
import { cidrText, ipText } from './ip.ts';
import { durationText, instantText, readDuration, readInstant } from './times.ts';
import { CelCidr, CelDuration, CelInstant, CelIp, CelType, CelUint, type CelValue, int64, typeOf } from './values.ts';

const truths: Readonly<Record<string, boolean>> = {
  ...{ '1': true, t: true, true: true, TRUE: true, True: true },
  ...{ '0': false, f: false, false: false, FALSE: false, False: false },
};

/** Functions that make a value of one type of one of another (cel-spec, "Type Conversions"). */
export const conversions: CelFunctions = {
  dyn: { apply: ([one]) => one },
  type: { apply: ([one]) => (one === undefined ? undefined : new CelType(typeOf(one))) },
  int: { apply: ([one]) => toInt(one!) },
  uint: { apply: ([one]) => toUint(one!) },
  bytes: {
    apply: ([one], budget) => {
      if (one instanceof Uint8Array) return one;
      if (typeof one !== 'string') return undefined;
      budget.spendText(one.length);
      return Buffer.from(one);
    },
  },
  double: { apply: ([one]) => toDouble(one!) },
  string: { apply: ([one]) => toText(one!) },
  bool: {
    apply: ([one]) => {
      if (typeof one === 'boolean') return one;
      if (typeof one !== 'string') return undefined;
      if (!Object.hasOwn(truths, one)) throw new CelError(`"${one.slice(0, 40)}" is not a bool`);
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
  if (one instanceof CelUint) return int64(one.value);
  if (typeof one === 'number') {
    if (!Number.isFinite(one)) throw new CelError('integer overflow');
    return int64(BigInt(Math.trunc(one)));
  }
  if (one instanceof CelInstant) return one.nanoseconds / 1_000_000_000n;
  if (typeof one !== 'string') return undefined;
  if (!/^[-+]?\d{1,19}$/.test(one)) throw new CelError(`"${one.slice(0, 40)}" is not an int`);
  return int64(BigInt(one.replace('+', '')));
}

function toUint(one: CelValue): CelUint | undefined {
  if (one instanceof CelUint) return one;
  if (typeof one === 'bigint') return new CelUint(one);
  if (typeof one === 'number') {
    if (!Number.isFinite(one)) throw new CelError('unsigned integer overflow');
    return new CelUint(one < 0 ? -1n : BigInt(Math.trunc(one)));
  }
  if (typeof one !== 'string') return undefined;
  if (!/^\d{1,20}$/.test(one)) throw new CelError(`"${one.slice(0, 40)}" is not a uint`);
  return new CelUint(BigInt(one));
}

function toDouble(one: CelValue): number | undefined {
  if (one instanceof CelUint) return Number(one.value);
  if (typeof one === 'bigint' || typeof one === 'number') return Number(one);
  if (typeof one !== 'string') return undefined;
  if (!/^[-+]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][-+]?\d{1,4})?$/.test(one)) {
    throw new CelError(`"${one.slice(0, 40)}" is not a double`);
  }
  return Number(one);
}

function toText(one: CelValue): string | undefined {
  if (typeof one === 'string') return one;
  if (typeof one === 'boolean' || typeof one === 'bigint' || typeof one === 'number') return String(one);
  if (one instanceof CelUint) return String(one.value);
  if (one instanceof Uint8Array) return utf8Text(one);
  if (one instanceof CelIp) return ipText(one);
  if (one instanceof CelCidr) return cidrText(one);
  if (one instanceof CelInstant) return instantText(one);
  return one instanceof CelDuration ? durationText(one) : undefined;
}

function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('the bytes are not UTF-8');
  }
}
