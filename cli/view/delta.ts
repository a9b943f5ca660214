import { sizeWords } from '../../lib/command.ts';
import type { DeltaResult, DeltaSummary } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import type { Style } from './style.ts';

/** Describes what was written, a delta or a whole archive, for a person. */
export function deltaView(result: DeltaResult, style: Style): string[] {
  const { name, version, path, root, size, delta, whole = [] } = result;
  return [
    `${style.good('wrote')} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${plain(path)}  ${sizeWords(size)}`,
    `  root ${root}`,
    ...(delta ? deltaLines(delta) : ['  whole: it lacks nothing']),
    ...whole.map(({ digest, size: bytes, reason }) => `  whole layer ${digest}, ${sizeWords(bytes)}: ${plain(reason)}`),
  ];
}

/** Returns how much of a Solution a delta has, and what completes it. */
export function deltaLines({ absent, absentBytes, wholeBytes, patched, sources, bases }: DeltaSummary): string[] {
  const names = bases.map(({ name, version, root }) => `${plain(name)} ${plain(version)} (root ${root})`);
  return [
    `  delta: ${sizeWords(wholeBytes - absentBytes)} of ${sizeWords(wholeBytes)}; complete with`,
    ...names.map((name) => `    ${name}`),
    `    or anything that has these ${count(absent - patched + sources, 'content')}`,
    ...(patched > 0 ? [`  ${count(patched, 'layer')} made from ${count(sources, 'older layer')}`] : []),
  ];
}
