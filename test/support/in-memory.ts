import { memory } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { carriers, damaged, type OpenedCarrier } from '../../lib/parts/archives/index.ts';

/** Opens an archive whose bytes lie in memory, as `openAny` opens a file; later changes of `bytes` are read. */
export async function openBytes(bytes: Buffer): Promise<OpenedCarrier> {
  const path = 'archive';
  const close = async (): Promise<void> => undefined;
  const file = { ...memory(bytes), path, close, [Symbol.asyncDispose]: close };
  try {
    const carrier = Object.values(carriers).find(({ sniff }) => sniff(bytes.subarray(0, 64 * 1024)));
    if (!carrier) throw new FormatError('truncated', 'no format knows it');
    return { ...(await carrier.open(file)), file, carrier, [Symbol.asyncDispose]: close };
  } catch (error) {
    throw damaged(path, error);
  }
}
