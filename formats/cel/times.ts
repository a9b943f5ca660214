import { CelError } from './budget.ts';
import type { CelFunction, CelFunctions } from './function.ts';
import { CelDuration, CelInstant, type CelValue, int64 } from './values.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const SECOND = 1_000_000_000n;

/** Reads an instant of RFC 3339. Throws `CelError`. */
export function readInstant(text: string): CelInstant {
  const [, day, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[-+]\d\d:\d\d)$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${day}${zone}`);
  if (Number.isNaN(milliseconds)) throw new CelError(`"${text.slice(0, 40)}" is not a timestamp`);
  return new CelInstant(BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
}

/** Reads a duration as Go writes it, such as `1h30m` or `-1.5s`. Throws `CelError`. */
export function readDuration(text: string): CelDuration {
  const wrong = new CelError(`"${text.slice(0, 40)}" is not a duration`);
  const [, sign, rest = ''] = /^([-+]?)(.{1,64})$/.exec(text) ?? [];
  if (rest === '0') return new CelDuration(0n);
  let total = 0n;
  let at = 0;
  for (const [part, whole = '', fraction = '', unit] of rest.matchAll(
    /(\d{0,18})(?:\.(\d{0,18}))?(ns|us|µs|ms|s|m|h)/g,
  )) {
    if (whole + fraction === '' || !rest.startsWith(part, at)) throw wrong;
    at += part.length;
    total += BigInt(whole || '0') * units[unit!]!;
    total += (BigInt(fraction || '0') * units[unit!]!) / 10n ** BigInt(fraction.length);
  }
  if (rest === '' || at !== rest.length) throw wrong;
  return new CelDuration(int64(sign === '-' ? -total : total));
}

/** Writes an instant as RFC 3339 has it. */
export function instantText({ nanoseconds }: CelInstant): string {
  const rest = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const date = new Date(Number((nanoseconds - rest) / 1_000_000n));
  if (Number.isNaN(date.getTime())) throw new CelError('the timestamp is out of range');
  const fraction =
    rest === 0n
      ? ''
      : `.${String(rest)
          .padStart(9, '0')
          .replace(/0{1,8}$/, '')}`;
  return `${date.toISOString().slice(0, -5)}${fraction}Z`;
}

/** Writes a duration in seconds. */
export function durationText({ nanoseconds }: CelDuration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(size % SECOND).padStart(9, '0');
  const rest = fraction === '000000000' ? '' : `.${fraction.replace(/0{1,8}$/, '')}`;
  return `${nanoseconds < 0n ? '-' : ''}${size / SECOND}${rest}s`;
}

function getter(ofDate: (date: Date) => number, ofDuration?: bigint, wraps?: bigint): CelFunction {
  return {
    apply: ([one, zone]: readonly CelValue[]) => {
      if (one instanceof CelDuration && ofDuration !== undefined) {
        const whole = one.nanoseconds / ofDuration;
        return wraps === undefined ? whole : whole % wraps;
      }
      if (!(one instanceof CelInstant)) return undefined;
      const milliseconds = Number((one.nanoseconds - modulo(one.nanoseconds, 1_000_000n)) / 1_000_000n);
      if (zone !== undefined && typeof zone !== 'string') return undefined;
      return BigInt(ofDate(new Date(milliseconds + (zone === undefined ? 0 : offsetOf(zone, milliseconds)))));
    },
  };
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

/** How far a time zone is ahead of UTC then, in milliseconds. Throws `CelError` for what is none. */
function offsetOf(zone: string, milliseconds: number): number {
  const [, sign, hours, minutes] = /^([-+]?)(\d{1,2}):(\d{2})$/.exec(zone) ?? [];
  if (hours !== undefined) {
    const size = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return sign === '-' ? -size : size;
  }
  if (zone === '' || zone === 'UTC') return 0;
  try {
    const fields = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const times = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...fields, ...times });
    const parts = Object.fromEntries(
      format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(milliseconds / 1000) * 1000;
  } catch (error) {
    if (error instanceof RangeError) throw new CelError(`"${zone.slice(0, 40)}" is not a time zone`);
    throw error;
  }
}

/** Functions of instants, in UTC or in a time zone, and of durations (cel-spec, "Timestamps and Durations"). */
export const times: CelFunctions = {
  '.getFullYear': getter((date) => date.getUTCFullYear()),
  '.getMonth': getter((date) => date.getUTCMonth()),
  '.getDate': getter((date) => date.getUTCDate()),
  '.getDayOfMonth': getter((date) => date.getUTCDate() - 1),
  '.getDayOfWeek': getter((date) => date.getUTCDay()),
  '.getHours': getter((date) => date.getUTCHours(), units['h']),
  '.getMinutes': getter((date) => date.getUTCMinutes(), units['m']),
  '.getSeconds': getter((date) => date.getUTCSeconds(), units['s']),
  '.getMilliseconds': getter((date) => date.getUTCMilliseconds(), units['ms'], 1000n),
};
