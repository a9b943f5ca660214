import { CelError } from './budget.ts';
import { sign } from './compare.ts';
import type { CelFunctions } from './function.ts';
import { CelQuantity, type CelValue, int64 } from './values.ts';

const BILLION = 1_000_000_000n;

/** What the suffixes of quantities stand for, in billionths (Kubernetes, "Quantity"). */
const suffixes: Readonly<Record<string, bigint>> = {
  ...{ n: 1n, u: 1_000n, m: 1_000_000n, '': BILLION },
  ...{ k: 10n ** 12n, M: 10n ** 15n, G: 10n ** 18n, T: 10n ** 21n, P: 10n ** 24n, E: 10n ** 27n },
  ...{ Ki: BILLION << 10n, Mi: BILLION << 20n, Gi: BILLION << 30n },
  ...{ Ti: BILLION << 40n, Pi: BILLION << 50n, Ei: BILLION << 60n },
};

function read(text: string): CelQuantity | undefined {
  const [, minus, whole = '', fraction = '', suffix = '', power] =
    /^([-+]?)(\d{0,30})(?:\.(\d{0,30}))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([-+]?\d{1,2}))?$/.exec(text) ?? [];
  if (minus === undefined || whole + fraction === '') return undefined;
  const scale = 10n ** BigInt(fraction.length);
  let size = BigInt(whole + fraction) * suffixes[suffix]!;
  const exponent = Number(power ?? 0);
  if (exponent > 0) size *= 10n ** BigInt(exponent);
  const divisor = exponent < 0 ? scale * 10n ** BigInt(-exponent) : scale;
  // What is smaller than a billionth is rounded up.
  const rounded = (size + divisor - 1n) / divisor;
  return new CelQuantity(minus === '-' ? -rounded : rounded);
}

function compared(decide: (difference: number) => CelValue, name: string, result: string): CelFunctions {
  return {
    [`.${name}`]: {
      signatures: [`kubernetes.Quantity.${name}(kubernetes.Quantity): ${result}`],
      apply: ([one, other]) =>
        one instanceof CelQuantity && other instanceof CelQuantity
          ? decide(sign(one.billionths - other.billionths))
          : undefined,
    },
  };
}

function summed(name: string, factor: bigint): CelFunctions {
  return {
    [`.${name}`]: {
      signatures: [
        `kubernetes.Quantity.${name}(kubernetes.Quantity): kubernetes.Quantity`,
        `kubernetes.Quantity.${name}(int): kubernetes.Quantity`,
      ],
      apply: ([one, other]) => {
        if (!(one instanceof CelQuantity)) return undefined;
        if (other instanceof CelQuantity) return new CelQuantity(one.billionths + factor * other.billionths);
        return typeof other === 'bigint' ? new CelQuantity(one.billionths + factor * other * BILLION) : undefined;
      },
    },
  };
}

/** Functions of quantities (k8s.io/apiserver, "Kubernetes quantity library"). */
export const quantities: CelFunctions = {
  quantity: {
    signatures: ['quantity(string): kubernetes.Quantity'],
    apply: ([one]) => {
      if (typeof one !== 'string') return undefined;
      const known = read(one);
      if (known === undefined) throw new CelError(`"${one.slice(0, 40)}" is not a quantity`);
      return known;
    },
  },
  isQuantity: {
    signatures: ['isQuantity(string): bool'],
    apply: ([one]) => (typeof one === 'string' ? read(one) !== undefined : undefined),
  },
  ...compared((difference) => difference > 0, 'isGreaterThan', 'bool'),
  ...compared((difference) => difference < 0, 'isLessThan', 'bool'),
  ...compared((difference) => BigInt(difference), 'compareTo', 'int'),
  ...summed('add', 1n),
  ...summed('sub', -1n),
  sign: {
    signatures: ['sign(kubernetes.Quantity): int'],
    apply: ([one]) => (one instanceof CelQuantity ? BigInt(sign(one.billionths)) : undefined),
  },
  '.isInteger': {
    signatures: ['kubernetes.Quantity.isInteger(): bool'],
    apply: ([one]) => (one instanceof CelQuantity ? one.billionths % BILLION === 0n : undefined),
  },
  '.asInteger': {
    signatures: ['kubernetes.Quantity.asInteger(): int'],
    apply: ([one]) => {
      if (!(one instanceof CelQuantity)) return undefined;
      if (one.billionths % BILLION !== 0n) throw new CelError('the quantity is not a whole number');
      return int64(one.billionths / BILLION);
    },
  },
  '.asApproximateFloat': {
    signatures: ['kubernetes.Quantity.asApproximateFloat(): double'],
    apply: ([one]) => (one instanceof CelQuantity ? Number(one.billionths) / 1e9 : undefined),
  },
};
