import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { root } from '../home.ts';

/**
 * Returns the licences of all packages whose modules are in the chunks, and of the modules of Go that encoders of
 * layers are built from; they have to accompany these.
 */
export function noticesOf(chunks: readonly OutputChunk[]): string {
  const folders = [...new Set(chunks.flatMap(packagesOf))].sort();
  const encoders = chunks.some(({ modules }) => Object.keys(modules).some((path) => path.includes('/below/encoders/')));
  const built = encoders ? [readFileSync(join(root, 'scripts/encoders/THIRD-PARTY.txt'), 'utf8')] : [];
  return [...folders.map(noticeOf), ...built].join(ruler);
}

/** The line between two licences. */
export const ruler: string = `\n${'-'.repeat(80)}\n`;

/** Returns the folders of the packages whose modules are in a chunk. */
function packagesOf({ modules }: OutputChunk): string[] {
  return Object.keys(modules).flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[0] ?? []);
}

function noticeOf(folder: string): string {
  const { name, version, license } = readJson(join(folder, 'package.json'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}

/** Reads a file of npm's. Throws where it is missing. */
// biome-ignore lint/suspicious/noExplicitAny: whatever npm has checked already.
export function readJson(path: string): any {
  if (!existsSync(path)) throw new Error(`${path} is missing; run "npm ci"`);
  return JSON.parse(readFileSync(path, 'utf8'));
}
