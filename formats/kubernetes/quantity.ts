/** Powers of ten, and of two, by which suffixes multiply (Kubernetes API, `Quantity`). */
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|[eE]([+-]?\d{1,3})|([numkMGTPE]))?$/;

/** Returns whether a text is a quantity, such as `500m`, `1.5` or `1Gi`. */
export function isQuantity(text: string): boolean {
  const found = form.exec(text);
  return found !== null && (found[2] !== '' || (found[3] ?? '') !== '');
}

/** Reads a quantity exactly, in units of 10^-30; undefined for what is none, or too large or small to be compared. */
export function quantityOf(value: unknown): bigint | undefined {
  const text = String(value);
  if ((typeof value !== 'string' && typeof value !== 'number') || text.length > 40 || !isQuantity(text))
    return undefined;
  const [, sign, whole, fraction = '', two, exponent, ten] = form.exec(text)!;
  const power = two === undefined ? Number(exponent ?? decimal[ten ?? '']) : 0;
  const shift = 30 + power - fraction.length;
  if (shift < 0 || shift > 80) return undefined;
  const digits = BigInt(`${whole}${fraction}` || '0') * 10n ** BigInt(shift);
  const size = two === undefined ? digits : digits << binary[two]!;
  return sign === '-' ? -size : size;
}
