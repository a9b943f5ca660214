import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type S3Store, startS3 } from '../../scripts/bench/s3.ts';
import { find } from './judges.ts';

/**
 * Gives a function that starts the S3 server `versitygw` when it is first called, with its files below `folder`; it is
 * stopped after the tests of the file. Call it at the top level of a test file.
 */
export function s3Store(folder: string): () => Promise<S3Store> {
  let running: Promise<S3Store> | undefined;
  afterAll(async () => (await running)?.stop());
  return () => {
    running ??= startS3(mkdtempSync(join(folder, 's3-')), find('versitygw'));
    return running;
  };
}
