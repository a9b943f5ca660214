/** The tags of the types that are written here (ITU-T X.690 §8). */
const tags = {
  truth: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Encodes a SEQUENCE of values in DER (ITU-T X.690). */
export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return value(tags.sequence, Buffer.concat(parts));
}

/** Encodes a SET of one value. */
export function setOfOne(part: Uint8Array): Uint8Array {
  return value(tags.set, part);
}

/** Encodes a BIT STRING whose last `unused` bitString do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return value(tags.bits, Buffer.concat([Uint8Array.of(unused), bytes]));
}

/** TRUE. */
export const derTrue: Uint8Array = Uint8Array.of(tags.truth, 1, 0xff);

/** Encodes a UTF8String. */
export function utf8String(text: string): Uint8Array {
  return value(tags.utf8, Buffer.from(text));
}

/**
 * Encodes a derTime, in whole seconds since 1970, as RFC 5280 §4.1.2.5 has it: with two digits of the year up to 2049.
 */
export function derTime(seconds: number): Uint8Array {
  const digits = `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return digits < '2050'
    ? value(tags.utcTime, Buffer.from(digits.slice(2)))
    : value(tags.generalizedTime, Buffer.from(digits));
}

/** Encodes what has a number of its context: around other values (`constructed`), or in place of their own tag. */
export function tagOf(number: number, content: Uint8Array, constructed = true): Uint8Array {
  return value((constructed ? 0xa0 : 0x80) + number, content);
}

/** Encodes an OCTET STRING. */
export function octets(bytes: Uint8Array): Uint8Array {
  return value(tags.octets, bytes);
}

/**
 * Encodes an INTEGER that is not negative, from its big-endian bytes. Leading zeros are dropped; one is added if the
 * sign needs it.
 */
export function integerOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return value(tags.integer, digits[0]! >= 0x80 ? Uint8Array.of(0, ...digits) : digits);
}

/** Encodes an INTEGER from 0 to 2^32 - 1. */
export function integer(number: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return integerOf(bytes);
}

/** NULL. */
export const nothing: Uint8Array = Uint8Array.of(tags.nothing, 0);

/** Encodes an OBJECT IDENTIFIER, from its dotted form. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(tags.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(arc: number): number[] {
  const digits = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) + 128);
  return digits;
}

function value(tag: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
}

/** Encodes a length in the definite form, in as few bytes as possible (X.690 §10.1). */
function lengthOf(length: number): number[] {
  if (length < 128) return [length];
  const digits: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) digits.unshift(left % 256);
  return [128 + digits.length, ...digits];
}
