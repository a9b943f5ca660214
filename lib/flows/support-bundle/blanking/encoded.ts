import { BLANK } from '../../../kernel/events/index.ts';

/** How deep texts are looked for that were encoded once more. */
const DEPTH = 5;

/** What begins bytes that are compressed, wherever they stand: gzip, zstd, bzip2, xz, zip. */
const compressed: readonly Buffer[] = ['1f8b08', '28b52ffd', '425a6839', 'fd377a585a00', '504b0304'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** Text in Base64 (RFC 4648, both alphabets), in one line or in several, as YAML, PEM and JSON within JSON break it. */
const runs = /[A-Za-z0-9+/_-]{16,}(?:(?:\\n|\r?\n)[ \t]*[A-Za-z0-9+/_-]+)*={0,2}/g;
/** gzip in hexadecimal. */
const hexadecimal = /1f8b08[0-9a-f]{16,}/gi;

/**
 * Blanks what is encoded in Base64, once or several times, where `tells` finds a secret in it, or where it is
 * compressed: what is compressed is never shown, because it would have to be read through to the end.
 */
export function blankEncoded(text: string, tells: (decoded: string) => boolean): string {
  return text.replace(runs, (run) => (isTelling(run, tells, DEPTH) ? BLANK : run)).replace(hexadecimal, BLANK);
}

function isTelling(run: string, tells: (decoded: string) => boolean, depth: number): boolean {
  const lines = run.split(/\\n|\s+/).filter((line) => line !== '');
  const whole = lines.join('');
  return [whole, ...(lines.length > 1 ? lines : [])].some((one) =>
    // A run may begin with letters of what stands before it.
    [0, 1, 2, 3].some((from) => isTellingAt(one.slice(from), tells, depth)),
  );
}

function isTellingAt(encoded: string, tells: (decoded: string) => boolean, depth: number): boolean {
  const bytes = Buffer.from(encoded, 'base64');
  if (compressed.some((begin) => bytes.includes(begin)) || isZlib(bytes)) return true;
  const text = bytes.toString();
  if (tells(text)) return true;
  return depth > 1 && (text.match(runs) ?? []).some((run) => isTelling(run, tells, depth - 1));
}

/** Decides whether bytes begin as zlib's do (RFC 1950, "CMF" and "FLG"), with a window of 32 KiB. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length > 2 && bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0;
}
