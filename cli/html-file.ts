import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { Option } from 'commander';
import { sizeWords, writeFile } from '../lib/command.ts';
import { SolpackError } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { CommandSession, CommonOptions } from './command-session.ts';
import { plain } from './io.ts';

/** How each page begins. */
const PAGE = '<!doctype html>';

/** The option of commands that can also make a page for a browser. */
export interface HtmlOptions extends CommonOptions {
  readonly html?: string;
}

/** Makes `--html`. */
export function htmlOption(): Option {
  return new Option('--html <file>', 'also write one self-contained page for a browser; - is standard output');
}

/** Throws `usage-invalid` where two things would go to standard output. */
export function requireOneOutput({ html, json }: HtmlOptions): void {
  if (html === '') throw usage('--html', 'is empty', 'name the file');
  if (html === '-' && json) throw usage('--html', 'and --json both go to standard output', 'name a file for the page');
}

/**
 * Writes a page where it was asked for, wholly or not at all. Returns whether the result is still to be printed: beside
 * a page that goes to a file, as JSON alone. Throws `output-unwritable`, `disk-full`.
 */
export async function writePage(session: CommandSession, { html, json }: HtmlOptions, text: string): Promise<boolean> {
  const { io, progress } = session;
  const bytes = new TextEncoder().encode(text);
  progress.end();
  if (html === '-') {
    await io.stdout.send(bytes);
    return false;
  }
  const path = absolute(io, html ?? '');
  await requirePage(path);
  await writeFile(path, bytes);
  if (!json) io.stdout.write(`wrote ${plain(path)}  ${sizeWords(bytes.length)}\n`);
  return json === true;
}

/** Makes sure that a page replaces nothing but a page. Throws `output-exists`. */
async function requirePage(path: string): Promise<void> {
  const before = await firstBytes(path, PAGE.length);
  if (before === undefined || before === '' || before.toLowerCase() === PAGE) return;
  throw new SolpackError('output-exists', path, 'is not a page', { hint: 'name another file, or remove this one' });
}

/** Reads the beginning of a file as text; undefined if there is none. */
async function firstBytes(path: string, length: number): Promise<string | undefined> {
  const handle = await fs.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}
