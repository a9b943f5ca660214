import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { readLine } from '../../../cli/completion/line.ts';

const command = new Command('extract')
  .argument('<image>')
  .argument('[paths...]')
  .option('-C, --directory <dir>', '')
  .option('-q, --quiet', '')
  .option('--sbom [image]', '');

describe('the words before the one that is typed', () => {
  test.each<[string, string[], string[], string | undefined]>([
    ['arguments', ['a.iso', 'b'], ['a.iso', 'b'], undefined],
    ['a flag that takes a value', ['a.iso', '-C'], ['a.iso'], '--directory'],
    ['a flag with its value', ['-C', 'out', 'a.iso'], ['a.iso'], undefined],
    ['a flag and its value in one word', ['--directory=out', 'a.iso'], ['a.iso'], undefined],
    ['letters behind one dash', ['-qC', 'out', 'a.iso'], ['a.iso'], undefined],
    ['a value right behind its letter', ['-qCout', 'a.iso'], ['a.iso'], undefined],
    ['a flag that may have a value', ['a.iso', '--sbom'], ['a.iso'], '--sbom'],
    ['a flag where a value may be', ['--sbom', '-q', 'a.iso'], ['a.iso'], undefined],
    ['a flag that nobody knows', ['--nonsense', 'a.iso'], ['a.iso'], undefined],
    ['a dash alone', ['-'], ['-'], undefined],
    ['what is not a flag behind two dashes', ['--', '-C', 'b'], ['-C', 'b'], undefined],
  ])('are read as the command reads them: %s', (_, words, given, pending) => {
    const line = readLine(command, words);
    expect([line.given, line.pending?.long]).toEqual([given, pending]);
  });
});
