import type { ScalarTag } from 'yaml';

/**
 * Resolves plain scalars as Kubernetes' own tools do. Their YAML reader is older than YAML 1.2: `on` and `y` are
 * booleans, `0644` is octal and `1_000` is a number, but times and base-60 numbers are strings. An integer that a
 * number cannot keep is an error.
 */
export const kubernetesScalars: readonly ScalarTag[] = scalars(false);

/** The same for objects of the API, whose fields may have such an integer of 64 bits: it is a `bigint`. */
export const exactScalars: readonly ScalarTag[] = scalars(true);

function scalars(keepsAll: boolean): readonly ScalarTag[] {
  const resolve: ScalarTag['resolve'] = (text, onError) => number(text, onError, keepsAll);
  return [
    {
      tag: 'tag:yaml.org,2002:null',
      default: true,
      test: /^(?:~|null|Null|NULL)?$/,
      resolve: () => null,
    },
    {
      tag: 'tag:yaml.org,2002:bool',
      default: true,
      test: /^(?:y|Y|yes|Yes|YES|on|On|ON|true|True|TRUE|n|N|no|No|NO|off|Off|OFF|false|False|FALSE)$/,
      resolve: (text) => /^(?:y|on|true)/i.test(text),
    },
    {
      tag: 'tag:yaml.org,2002:int',
      default: true,
      test: /^[-+]?[0-9][0-9a-fA-FxXoO_]*$/,
      resolve,
    },
    {
      tag: 'tag:yaml.org,2002:float',
      default: true,
      test: /^[-+.0-9][-+.0-9eE_]*$|^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/,
      resolve,
    },
  ];
}

/** Resolves a plain scalar; tells `onError` why it has no value. */
export function plainScalar(text: string, onError: (message: string) => void): unknown {
  const tag = kubernetesScalars.find(({ test }) => test?.test(text));
  return tag === undefined ? text : tag.resolve(text, onError, {});
}

const bases: Record<string, { base: number; digits: RegExp }> = {
  x: { base: 16, digits: /^[0-9a-f]+$/ },
  o: { base: 8, digits: /^[0-7]+$/ },
  b: { base: 2, digits: /^[01]+$/ },
};

/** The value of a prefixed or octal integer, of any size; undefined for everything else. */
function prefixed(digits: string): bigint | undefined {
  const letter = digits[1]?.toLowerCase() ?? '';
  const known = digits.startsWith('0') ? bases[letter] : undefined;
  if (known) {
    const rest = digits.slice(2).toLowerCase();
    return known.digits.test(rest) ? BigInt(`0${letter}${rest}`) : undefined;
  }
  if (/^0[0-7]+$/.test(digits)) return BigInt(`0o${digits.slice(1)}`);
  return undefined;
}

function integer(text: string): bigint | undefined {
  const plain = text.replaceAll('_', '');
  const digits = plain.replace(/^[-+]/, '');
  const value = prefixed(digits) ?? (/^(?:0|[1-9][0-9]*)$/.test(digits) ? BigInt(digits) : undefined);
  return value !== undefined && plain.startsWith('-') ? -value : value;
}

function number(text: string, onError: (message: string) => void, keepsAll: boolean): number | bigint | string {
  const whole = integer(text);
  if (whole !== undefined) return exact(whole, text, onError, keepsAll);
  if (/inf$|nan$/i.test(text)) onError(`${text} has no meaning in JSON`);
  // After a leading point, and only there, an underscore has to stand between digits.
  if (/^\..*(?:_(?![0-9])|(?<![0-9])_)/.test(text)) return text;
  const plain = text.replaceAll('_', '');
  if (!/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)) return text;
  const value = Number(plain);
  return Number.isFinite(value) ? value : text;
}

function exact(value: bigint, text: string, onError: (message: string) => void, keepsAll: boolean): number | bigint {
  const number = Number(value);
  // What JSON writes of it counts: the largest ones that CustomResourceDefinitions name end in zeros, and stay what
  // they are.
  if (String(number) === String(value)) return number;
  if (keepsAll && value >= -(2n ** 63n) && value < 2n ** 64n) return value;
  onError(`the integer ${text} is too large for an exact value; quote it`);
  return number;
}
