import { Header } from 'tar/header';
import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { Pull } from '../tar/pull.ts';
import { chartLimits } from './limits.ts';

/** Most bytes of an extended header that are accepted. */
const EXTENSION = 64 * 1024;

/** A regular file of a tar stream. */
export interface TarFile {
  /** As it is stored. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The content; what is left unread when the next file is asked for is skipped. */
  readonly body: Bytes;
}

/**
 * The regular files of a tar stream in order (POSIX.1-2017 pax interchange format and ustar; GNU long names). Links
 * and special files are refused. Throws `FormatError` `chart-invalid`, also where `chartLimits` are exceeded.
 */
export async function* untar(bytes: Bytes): AsyncGenerator<TarFile, void, undefined> {
  const source = new Pull(bytes, 'chart-invalid');
  let path: string | undefined;
  let size: number | undefined;
  try {
    for (let count = 0; ; count += 1) {
      const block = await source.block();
      if (!block || isZero(block)) break;
      if (count > 2 * chartLimits.entries) throw invalid(`more than ${chartLimits.entries} files`);
      const header = decode(block);
      const length = size ?? header.size;
      if (isExtension(header.type)) {
        const text = Buffer.from(await source.extension(header.size, EXTENSION)).toString('utf8');
        if (header.type === 'NextFileHasLongPath') path = text.split('\0', 1)[0];
        if (header.type === 'ExtendedHeader') {
          const fields = paxFields(text);
          path = fields.get('path') ?? path;
          size = fields.has('size') ? sizeOf(fields.get('size')!) : size;
        }
        continue;
      }
      const name = path ?? header.path;
      path = undefined;
      size = undefined;
      if (header.type === 'Directory') continue;
      if (header.type !== 'File' && header.type !== 'OldFile') {
        throw invalid(`${JSON.stringify(name)} is no regular file, but of type ${header.type}`);
      }
      if (length > chartLimits.file) {
        throw invalid(`${JSON.stringify(name)} has ${length} bytes, more than the ${chartLimits.file} that Helm loads`);
      }
      yield { path: name, size: length, body: source.body(length) };
      await source.skip();
    }
    await source.zeros();
  } finally {
    await source.close();
  }
}

function invalid(message: string, cause?: unknown): FormatError {
  return new FormatError('chart-invalid', message, cause === undefined ? {} : { cause });
}

function isZero(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

function isExtension(type: string): boolean {
  return type === 'ExtendedHeader' || type === 'GlobalExtendedHeader' || type === 'NextFileHasLongPath';
}

function decode(block: Uint8Array): { path: string; size: number; type: string } {
  let header: Header;
  try {
    header = new Header(Buffer.from(block));
  } catch (cause) {
    throw invalid('a tar header is damaged', cause);
  }
  const { path = '', size = 0, type } = header;
  if (!header.cksumValid) throw invalid('the checksum of a tar header is wrong');
  if (!Number.isSafeInteger(size) || size < 0) throw invalid('the size in a tar header is damaged');
  return { path, size, type };
}

/** The records of a pax extended header, `length key=value` each (POSIX.1-2017 pax, "Extended Header"). */
function paxFields(text: string): Map<string, string> {
  const bytes = Buffer.from(text, 'utf8');
  const fields = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const digits = bytes.toString('latin1', at, Math.max(at, space));
    const end = at + Number(digits);
    const record = bytes.toString('utf8', space + 1, end - 1);
    const equals = record.indexOf('=');
    if (!/^[1-9][0-9]{0,5}$/.test(digits) || end > bytes.length || end <= space + 1 || bytes[end - 1] !== 0x0a) {
      throw invalid('a pax header is damaged');
    }
    if (equals < 1) throw invalid('a pax header is damaged');
    fields.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return fields;
}

function sizeOf(digits: string): number {
  if (!/^[0-9]{1,12}$/.test(digits)) throw invalid('the size in a pax header is damaged');
  return Number(digits);
}
