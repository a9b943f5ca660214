import { styleText } from 'node:util';

/** Width after which a command line continues in the next line. */
const WIDTH = 100;

/** Formats `text` on a terminal that wants it. */
export function paint(format: 'bold' | 'dim' | 'green', text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText(format, text) : text;
}

/** Begins a chapter of a demo. */
export function chapter(title: string): void {
  console.log(`\n${paint('bold', title)}`);
}

/** Prints what is happening. */
export function tell(text: string): void {
  console.log(`\n  ${paint('dim', text)}`);
}

/** Prints a command line as a user types it. A long one continues in the next line, before an option. */
export function announce(command: string): void {
  const lines = [''];
  for (const part of command.split(/ (?=--)/)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + part.length > WIDTH) lines.push(part);
    else lines[lines.length - 1] = line === '' ? part : `${line} ${part}`;
  }
  console.log(`\n  $ ${lines.join(' \\\n      ')}`);
}

/** Prints the output of a command, with paths relative to `folder`. */
export function output(text: string, folder: string): void {
  process.stdout.write(text.replaceAll(`${folder}/`, '').replace(/^(?=.)/gm, '  '));
}
