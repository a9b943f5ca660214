import type { FileExplanation } from '../../lib/index.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

/** The columns of a text that is read, where the terminal has more. */
const COLUMNS = 90;

/** Tells a person what a file may say: what it is, and each field below the one that it stands in. */
export function fileView({ name, summary, about, page, fields }: FileExplanation, style: Style): string[] {
  const columns = Math.min(style.width, COLUMNS);
  return [
    `${style.bold(name)}  ${summary}`,
    ...about.flatMap((text) => ['', ...wrap(text, columns)]),
    ...fields.flatMap((field) => [
      '',
      `${style.bold(field.path)}  ${style.dim(fieldWords(field))}`,
      ...(field.description === undefined ? [] : wrap(`    ${field.description}`, columns, '    ')),
    ]),
    '',
    `"solpack docs ${page}" tells more, with examples.`,
  ];
}

/** What a field holds, in a few words. */
export function fieldWords({ type, required, values, default: left }: FileExplanation['fields'][number]): string {
  const several = values.length > 1 ? `one of ${values.join(', ')}` : undefined;
  return [
    values.length === 0 ? type : (several ?? values[0]!),
    ...(required ? ['required'] : []),
    ...(left === undefined ? [] : [`default ${left}`]),
  ]
    .filter((part) => part !== '')
    .join('; ');
}
