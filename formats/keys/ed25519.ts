/**
 * The prime of the field, the constant of the curve, and the order of the group to which keys belong (RFC 8032 §5.1).
 */
const P = 2n ** 255n - 19n;
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/** A square root of -1. */
const ROOT = power(2n, (P - 1n) / 4n);

/** A point in extended homogeneous coordinates (RFC 8032 §5.1.4). */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly t: bigint;
}

const neutral: Point = { x: 0n, y: 1n, z: 1n, t: 0n };

/**
 * Returns why `bytes` are no acceptable public key of Ed25519; undefined if they are one. OpenSSL accepts any 32 bytes.
 * Two kinds are dangerous: the points of a small group, for which everybody can sign, and the sums of a key and such a
 * point, for which the holder of the key can sign too. So a key must be in the one canonical form and stand for one
 * secret alone (RFC 8032 §5.1.3, §5.1.7, §8.4).
 */
export function wrongEd25519(bytes: Uint8Array): string | undefined {
  const point = decode(bytes);
  if (typeof point === 'string') return point;
  if (point.x === 0n || !isNeutral(times(L, point))) return 'a point outside of the group of keys';
  return undefined;
}

/** Decodes the point that `bytes` stand for, or says what is wrong with them. */
function decode(bytes: Uint8Array): Point | string {
  const noPoint = 'not a point on its curve';
  if (bytes.length !== 32) return noPoint;
  const number = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const [sign, y] = [number >> 255n, number & (2n ** 255n - 1n)];
  if (y >= P) return 'not in the one form that its point has';
  const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  const guess = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  const root = [guess, mod(guess * ROOT)].find((candidate) => mod(v * candidate * candidate) === u);
  if (root === undefined) return noPoint;
  if (root === 0n && sign === 1n) return 'not in the one form that its point has';
  const x = (root & 1n) === sign ? root : mod(-root);
  return { x, y, z: 1n, t: mod(x * y) };
}

/** Adds two points, which may be equal (RFC 8032 §5.1.4). */
function sum(one: Point, other: Point): Point {
  const a = mod((one.y - one.x) * (other.y - other.x));
  const b = mod((one.y + one.x) * (other.y + other.x));
  const c = mod(2n * D * one.t * other.t);
  const d = mod(2n * one.z * other.z);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return { x: mod(e * f), y: mod(g * h), z: mod(f * g), t: mod(e * h) };
}

function times(count: bigint, point: Point): Point {
  let result = neutral;
  for (const bit of count.toString(2)) {
    result = sum(result, result);
    if (bit === '1') result = sum(result, point);
  }
  return result;
}

function isNeutral({ x, y, z }: Point): boolean {
  return x === 0n && y === z;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = mod(result * result);
    if (bit === '1') result = mod(result * base);
  }
  return result;
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}
