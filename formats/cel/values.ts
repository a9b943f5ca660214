import { CelError } from './budget.ts';

/** A value of CEL. Whole numbers are bigints, others numbers; the fields of objects are mappings. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly CelValue[]
  | ReadonlyMap<CelValue, CelValue>
  | CelUint
  | Uint8Array
  | CelInstant
  | CelDuration
  | CelQuantity
  | CelIp
  | CelCidr
  | CelOptional
  | CelType;

/** A whole number without a sign, of 64 bits. */
export class CelUint {
  readonly value: bigint;

  /** Throws `CelError` where it is none. */
  constructor(value: bigint) {
    if (value < 0n || value >= 2n ** 64n) throw new CelError('unsigned integer overflow');
    this.value = value;
  }
}

/** An IP address, as a number of 32 or 128 bits. */
export class CelIp {
  readonly family: 4 | 6;
  readonly value: bigint;
  constructor(family: 4 | 6, value: bigint) {
    this.family = family;
    this.value = value;
  }
}

/** A range of IP addresses: an address in it, and how many bits all of them share. */
export class CelCidr {
  readonly ip: CelIp;
  readonly length: number;
  constructor(ip: CelIp, length: number) {
    this.ip = ip;
    this.length = length;
  }
}

/** A point in time: nanoseconds since 1970. */
export class CelInstant {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A span of time, in nanoseconds. */
export class CelDuration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** An amount of Kubernetes, such as `1Gi` or `500m`, in billionths. */
export class CelQuantity {
  readonly billionths: bigint;
  constructor(billionths: bigint) {
    this.billionths = billionths;
  }
}

/** A value that may be absent (cel-spec, "Optional values"). */
export class CelOptional {
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** The type of a value, as `type()` returns it. */
export class CelType {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const limits = { least: -(2n ** 63n), most: 2n ** 63n - 1n } as const;

/** Returns a whole number of 64 bits. Throws `CelError` where it is none. */
export function int64(value: bigint): bigint {
  if (value < limits.least || value > limits.most) throw new CelError('integer overflow');
  return value;
}

/** Deepest nesting of what is looked at. */
const DEEPEST = 200;

/** Makes a value of what JSON has. Throws `CelError` where that is nested too deep. */
export function fromJson(value: unknown, depth = 0): CelValue {
  if (depth > DEEPEST) throw new CelError(`the object is nested more than ${DEEPEST} deep`);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'bigint') return value > limits.most ? Number(value) : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value.map((one) => fromJson(one, depth + 1));
  return new Map(Object.entries(value).map(([key, one]) => [key, fromJson(one, depth + 1)]));
}

/** Makes JSON of a value, for people to read. */
export function toJson(value: CelValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [String(key), toJson(one)]));
  if (value instanceof CelOptional) return value.value === undefined ? null : toJson(value.value);
  return value;
}

/** Names the type of a value. */
export function typeOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelIp) return 'net.IP';
  if (value instanceof CelCidr) return 'net.CIDR';
  if (value instanceof CelInstant) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelQuantity) return 'kubernetes.Quantity';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelType) return 'type';
  return value instanceof Map ? 'map' : 'list';
}
