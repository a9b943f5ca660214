import { describe, expect, test } from 'vitest';
import { everyDayOptions } from '../../cli/help/every-day.ts';
import { pageOf } from '../../cli/help/page.ts';
import { briefPage, sharedOptionsText } from '../../cli/help/shared.ts';
import { trustTerms } from '../../cli/help/trust-terms.ts';
import { programOf } from '../../cli/program.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';
import { solpackHere } from '../support/here.ts';
import { scratch } from '../support/judges.ts';

const cwd = scratch('help-options');
const program = await programOf(quietIo(), '', () => undefined);

describe('solpack help options', () => {
  test('tells of the options that many commands take, and fits a terminal', async () => {
    const { code, stdout } = await solpackHere(['help', 'options'], { cwd });
    expect([code, stdout]).toEqual([0, sharedOptionsText(program, 80)]);
    for (const word of ['--json', '--log-file <file>', '--authfile <file>', '--plain-http', 'HTTP_PROXY']) {
      expect(stdout).toContain(word);
    }
    for (const word of ['Trust:', '--key <pub>', '--policy <file>', '--fingerprint <sha256>'])
      expect(stdout).toContain(word);
    expect(stdout).not.toMatch(/--kubeconfig/);
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });
});

test('the options of trust that it tells of are those of commands', () => {
  const flags = new Set(program.commands.flatMap(({ options }) => options.map((option) => option.flags)));
  for (const { term } of trustTerms) expect(flags).toContain(term);
});

describe('the help of a command', () => {
  test('names these, and says where they are told of', async () => {
    const { stdout } = await solpackHere(['verify', '--help'], { cwd });
    expect(stdout).toContain('Options of many commands ("solpack help options" describes them):');
    expect(stdout).toMatch(/^ {2}registry +--plain-http, --authfile <file>,/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('--quiet, --log-file <file>, -h, --help Examples:');
    expect(stdout).not.toContain('certificates for registries, below HOST:PORT');
    expect(stdout).not.toContain('REGISTRY_AUTH_FILE');
  });

  test('fits two screens of 40 lines, with what every day needs', () => {
    for (const command of [program, ...program.commands]) {
      const lines = command.helpInformation().trimEnd().split('\n');
      expect(lines.length, command.name()).toBeLessThanOrEqual(80);
      const told = everyDayOptions(command.name()) ?? [];
      expect(told.filter((flag) => !command.options.some(({ long }) => long === flag))).toEqual([]);
      for (const { long, mandatory } of command.options) {
        if (mandatory) expect(lines.join('\n'), command.name()).toContain(`${long} <`);
      }
    }
  });

  test('is whole where that is asked for, also of options that many commands take', async () => {
    const { stdout } = await solpackHere(['install', 'x.iso', '--help=all'], { cwd });
    expect((await solpackHere(['help', '--all', 'install'], { cwd })).stdout).toBe(stdout);
    for (const command of program.commands.filter((one) => one.name() === 'install')) {
      for (const { flags } of command.createHelp().visibleOptions(command)) expect(stdout).toContain(flags);
    }
    for (const words of ['("solpack docs plugins")', 'name: edge', 'which "--plan --json" printed', 'HTTP_PROXY']) {
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    }
    const short = await solpackHere(['install', '--help'], { cwd });
    expect(short.stdout).toContain('"solpack install --help=all" prints all');
    expect(short.stdout).not.toContain('--take-over');
    expect((await solpackHere(['--help=all'], { cwd })).stdout).toBe((await solpackHere(['--help'], { cwd })).stdout);
    expect((await solpackHere(['install', '--help=some'], { cwd })).stderr).toContain('"solpack install --help=all"');
    expect((await solpackHere(['ls', '--', '--help=all'], { cwd })).code).not.toBe(0);
  });

  test('leaves out no option, and tells of all that are its own', () => {
    for (const command of program.commands) {
      const help = command.createHelp();
      const { sections } = briefPage(pageOf(command, help), program);
      const told = sections.flatMap((section) => ('terms' in section ? section.terms : []));
      const words = told.map(({ term, text }) => `${term} ${text}`).join('\n');
      for (const { flags } of help.visibleOptions(command)) expect(words, command.name()).toContain(flags);
      const examples = sections.findIndex(({ title }) => title === 'Examples:');
      const shared = sections.findIndex(({ title }) => title.startsWith('Options of many commands'));
      if (examples >= 0) expect(shared, command.name()).toBeLessThan(examples);
    }
  });
});
