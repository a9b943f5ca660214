import { readdir, readFile } from 'node:fs/promises';

/**
 * Reads all pages of the documentation that comes with solpack, by their names without `.md`, in order of names. An
 * executable has them inside.
 */
export async function docFiles(): Promise<ReadonlyMap<string, string>> {
  const folder = new URL('../docs/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = names.map((name) => readFile(new URL(name, folder), 'utf8'));
  return new Map((await Promise.all(texts)).map((text, at) => [names[at]!.slice(0, -'.md'.length), text]));
}
