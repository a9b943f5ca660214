import type { Bytes } from '../bytes.ts';
import { decompress } from '../decompress.ts';
import { chartLimits } from './limits.ts';

const FREE = 1024 * 1024;

/**
 * Decompresses gzip (RFC 1952) while it is read; checksum and length are checked. Throws `FormatError`
 * `chart-invalid` on damage, and where the output exceeds `budget` or `chartLimits.ratio`. What one archive and those
 * within it decompress to is taken from one budget.
 */
export function gunzip(bytes: Bytes, budget: { left: number } = { left: chartLimits.total }): Bytes {
  const { ratio, total } = chartLimits;
  return decompress(bytes, { algorithm: 'gzip', code: 'chart-invalid', ratio, free: FREE, budget, total });
}
