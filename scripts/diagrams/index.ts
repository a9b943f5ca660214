import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../home.ts';
import { archiveGraph } from './archive.ts';
import { drawn } from './draw.ts';
import { houseGraph } from './house.ts';
import { installGraph } from './install.ts';

/** Graphs that are made from the code, with what each shows. */
const made: Readonly<Record<string, readonly [title: string, graph: () => string | Promise<string>]>> = {
  house: ['The layers of solpack: cli, flows, shared, parts, kernel, formats', houseGraph],
  archive: ['What lies in an archive, in the order of its bytes', archiveGraph],
  install: ['The steps of an install, in their order', installGraph],
};

/**
 * Draws every diagram of the docs, as paths from the top of the checkout with SVG: those that are made from the code,
 * and the files `docs/diagrams/*.dot`, whose first line is a comment that says what they show.
 */
export async function diagrams(): Promise<[path: string, svg: string][]> {
  const written = globSync('docs/diagrams/*.dot', { cwd: root }).sort();
  const drawings: [name: string, title: string, graph: string][] = [];
  for (const [name, [title, graph]] of Object.entries(made)) drawings.push([name, title, await graph()]);
  for (const path of written) {
    const text = readFileSync(join(root, path), 'utf8');
    const title = /^\/\/ (.+)\n/.exec(text)?.[1];
    if (title === undefined) throw new Error(`${path}: the first line has to say what it shows, after //`);
    drawings.push([basename(path, '.dot'), title, text]);
  }
  return Promise.all(
    drawings.map(
      async ([name, title, graph]): Promise<[string, string]> => [
        `docs/diagrams/${name}.svg`,
        await drawn(graph, title),
      ],
    ),
  );
}
