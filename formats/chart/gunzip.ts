import { createGunzip } from 'node:zlib';
import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { chartLimits } from './limits.ts';

const FREE = 1024 * 1024;

/**
 * Decompresses gzip (RFC 1952) while it is read; checksum and length are checked. Throws `FormatError`
 * `chart-invalid` on damage, and where the output exceeds `budget` or `chartLimits.ratio`. What one archive and those
 * within it decompress to is taken from one budget.
 */
export async function* gunzip(bytes: Bytes, budget: { left: number } = { left: chartLimits.total }): Bytes {
  const engine = createGunzip({ chunkSize: 64 * 1024 });
  let read = 0;
  let written = 0;
  let failure: { error: unknown } | undefined;
  const feed = async (): Promise<void> => {
    try {
      for await (const chunk of bytes) {
        read += chunk.length;
        if (engine.destroyed) return;
        if (!engine.write(chunk)) await drained(engine);
      }
      engine.end();
    } catch (error) {
      failure = { error };
      engine.destroy(new Error('the source failed'));
    }
  };
  const feeding = feed();
  try {
    for await (const chunk of engine as AsyncIterable<Buffer>) {
      written += chunk.length;
      budget.left -= chunk.length;
      if (budget.left < 0) {
        throw new FormatError('chart-invalid', `decompresses to more than ${chartLimits.total} bytes`);
      }
      if (written > FREE && written > read * chartLimits.ratio) {
        throw new FormatError('chart-invalid', `decompresses to more than ${chartLimits.ratio} times its size`);
      }
      yield chunk;
    }
  } catch (error) {
    if (failure) throw failure.error;
    if (error instanceof FormatError) throw error;
    throw new FormatError('chart-invalid', `not gzip, or damaged: ${(error as Error).message}`, { cause: error });
  } finally {
    engine.destroy();
    await feeding;
  }
}

/** Settles once `engine` takes more input, or is gone. */
function drained(engine: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((settle) => {
    const done = (): void => {
      engine.off('drain', done);
      engine.off('close', done);
      settle();
    };
    engine.on('drain', done);
    engine.on('close', done);
  });
}
