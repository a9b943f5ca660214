import { sizeWords } from '../../lib/command.ts';
import type { SupportBundle } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes a bundle for a person: what is in it, and what is not. */
export function supportBundleView({ path, size, files, missing }: SupportBundle, style: Style): string[] {
  return [
    style.bold(`${plain(path)} (${sizeWords(size)})`),
    ...table(
      files.map((file) => [`  ${plain(file.path)}`, sizeWords(file.size)]),
      [1],
    ),
    ...(missing.length === 0 ? [] : [style.bold('could not be read:')]),
    ...missing.map(({ what, reason }) => `  ${plain(what)}: ${plain(reason)}`),
  ];
}
