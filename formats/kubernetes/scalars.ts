import { type FieldPlace, type ReportProblem, valueWords } from './problems.ts';
import { isQuantity } from './quantity.ts';
import type { ApiShape } from './types.ts';

type ScalarShape = Exclude<ApiShape, { readonly is: 'list' | 'map' | 'type' | 'object' | 'anything' }>;

const int32 = 2 ** 31;

/** Reports a value that is not the scalar that its field takes. Go reads null as the field's empty value. */
export function checkScalar(shape: ScalarShape, value: unknown, path: FieldPlace, report: ReportProblem): void {
  const wrong = wrongScalar(shape, value);
  if (wrong !== undefined) report(path, `has to be ${wrong}`);
}

function wrongScalar(shape: ScalarShape, value: unknown): string | undefined {
  switch (shape.is) {
    case 'string':
      return typeof value === 'string' ? undefined : `a string, not ${valueWords(value)}${quoteIt(value)}`;
    case 'time':
      return typeof value === 'string' ? undefined : `a time as a string, not ${valueWords(value)}`;
    case 'integer':
      if (!isApiInteger(value)) return `an integer, not ${valueWords(value)}`;
      if (shape.bits === 32 && (value >= int32 || value < -int32)) return `an integer of 32 bits, not ${value}`;
      return undefined;
    case 'number':
      return isApiNumber(value) ? undefined : `a number, not ${valueWords(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `true or false, not ${valueWords(value)}`;
    case 'integer or string':
      if (typeof value === 'string' || isApiInteger(value)) return undefined;
      return `an integer or a string, not ${valueWords(value)}`;
    case 'quantity':
      if (typeof value !== 'string' && !isApiNumber(value)) return `a quantity, not ${valueWords(value)}`;
      return isQuantity(String(value)) ? undefined : 'a quantity such as 500m, 2 or 1Gi';
    case 'bytes':
      if (typeof value !== 'string') return `bytes in base64, not ${valueWords(value)}`;
      return isBase64(value) ? undefined : 'bytes in base64';
    default:
      return undefined;
  }
}

function quoteIt(value: unknown): string {
  return isApiNumber(value) || typeof value === 'boolean' ? '; quote it' : '';
}

/** Returns whether a value is a number of JSON. One that a `number` cannot keep is a `bigint`. */
export function isApiNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns whether a value is an integer of JSON. */
export function isApiInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Returns whether Go reads a text as base64 (RFC 4648 section 4), which passes over ends of lines. */
function isBase64(text: string): boolean {
  const digits = text.replace(/[\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
}
