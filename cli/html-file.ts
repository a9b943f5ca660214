import { Option } from 'commander';
import { sizeWords, writeFile } from '../lib/command.ts';
import { absolute, usage } from './arguments.ts';
import type { CommandSession, CommonOptions } from './command-session.ts';
import { plain } from './io.ts';

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
  await writeFile(path, bytes);
  if (!json) io.stdout.write(`wrote ${plain(path)}  ${sizeWords(bytes.length)}\n`);
  return json === true;
}
