import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../home.ts';

/** The layers of the house from top to bottom, and what each is for. */
const layers = [
  ['cli', 'cli', 'flags and screens'],
  ['flows', 'lib/flows', 'the work of the commands'],
  ['shared', 'lib/shared', 'what several flows share'],
  ['parts', 'lib/parts', 'one job each; none uses another'],
  ['kernel', 'lib/kernel', 'contents, files, machine, network'],
  ['formats', 'formats', 'bytes to values and back'],
] as const;

/** Makes the graph of the house: its layers, with the rooms that lie in them. */
export function houseGraph(): string {
  const nodes = layers.map(([name, folder, work]) => {
    const rooms = name === 'cli' ? ['commands', 'views', 'progress', 'help'] : roomsOf(folder);
    const lines = [`<b>${folder}</b>`, `<i>${work}</i>`, ...wrapped(rooms, 96)];
    const rows = lines.map((line) => `<tr><td align="left">${line}</td></tr>`);
    const label = `<table border="0" cellborder="0" cellspacing="1" width="590">${rows.join('')}</table>`;
    return `  ${name} [class="${name === 'formats' ? 'sealed' : name === 'cli' ? 'main' : ''}", label=<${label}>];`;
  });
  const arrows = layers.slice(1).map(([name], index) => `  ${layers[index]![0]} -> ${name};`);
  return `digraph {\n${nodes.join('\n')}\n${arrows.join('\n')}\n}`;
}

function roomsOf(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && `${last}   ${word}`.length <= width) lines[lines.length - 1] = `${last}   ${word}`;
    else lines.push(word);
  }
  return lines;
}
