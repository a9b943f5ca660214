import { readdir, readFile } from 'node:fs/promises';

/** Pages that are beside the folder of the others, because that is where people look for them. */
const beside = ['README.md', 'SECURITY.md'];

/**
 * Reads all pages of the documentation that comes with solpack, by their names without `.md`, in order of names. An
 * executable has them inside.
 */
export async function docFiles(): Promise<ReadonlyMap<string, string>> {
  const folder = new URL('../docs/', import.meta.url);
  const inside = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const paths = [...inside, ...beside.map((name) => `../${name}`)];
  const pages = paths.map(async (path): Promise<readonly [string, string]> => {
    const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length).toLowerCase();
    return [name, await readFile(new URL(path, folder), 'utf8')];
  });
  return new Map((await Promise.all(pages)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
