import type { Command } from 'commander';
import { meantWord } from '../lib/command.ts';
import { beforeArguments } from './arguments.ts';
import type { CommandLineError } from './command-line-error.ts';
import { profileOptions } from './profile-options.ts';

/** What somebody reads who has not set up this machine. */
export const IN_PROFILE = 'a profile has this setting, and "solpack setup" writes one';

/** What asks for all that the help of a command has to say. */
const ALL = '--help=all';

/**
 * Returns a command line as solpack has it: other tools print their version by other words, and an option has no value
 * now and then.
 */
export function ownWords(argv: readonly string[]): readonly string[] {
  const [first = '', ...rest] = argv;
  if (beforeArguments(argv).includes(ALL)) return ['help', '--all', ...(first.startsWith('-') ? [] : [first])];
  // Maps names of commands of other tools to the names of ours.
  if (Object.hasOwn(commands, first) && rest.some((word) => word === '-h' || word === '--help')) return ['help', first];
  return first === 'version' || first === '-v' ? ['--version', ...rest] : argv;
}

/** What other tools call what a command of solpack does. */
const commands: Readonly<Record<string, string>> = {
  apply: '"solpack install ARCHIVE" brings what an archive holds into a cluster',
  build: '"solpack pack" makes an archive',
  bundle: '"solpack pack" makes an archive',
  copy: '"solpack push" and "solpack pull" copy archives to and from registries, "solpack export" copies images',
  create: '"solpack init" begins a definition, and "solpack pack" makes an archive',
  delete: '"solpack uninstall" removes what was installed, "solpack deactivate NAME" one Solution at the next install',
  deploy: '"solpack install ARCHIVE" brings what an archive holds into a cluster',
  describe: '"solpack inspect ARCHIVE" shows what an archive holds, "solpack status NAME" how it runs',
  get: '"solpack status" lists what is installed, "solpack ls ARCHIVE" the files of an archive',
  info: '"solpack inspect ARCHIVE" shows what an archive holds',
  lint: '"solpack check" finds what is wrong with a definition',
  destroy: '"solpack uninstall" removes what was installed',
  list: '"solpack status" lists what is installed, "solpack ls ARCHIVE" the files of an archive',
  login: 'solpack uses the logins of podman, skopeo and docker; --authfile names another file of them',
  logs: '"solpack status NAME" shows why something is not ready, "solpack support-bundle" collects logs',
  plan: '"solpack install --plan" prints what an install would do',
  remove: '"solpack uninstall" removes what was installed, "solpack deactivate NAME" one Solution at the next install',
  show: '"solpack inspect ARCHIVE" shows what an archive holds',
  template: '"solpack render ARCHIVE" prints the objects of an archive',
  undo: '"solpack rollback" goes back to what was installed before',
  unpack: '"solpack extract ARCHIVE" writes its files to a folder',
  upgrade: '"solpack install ARCHIVE" replaces an installed version by that of the archive',
  validate: '"solpack check" finds what is wrong with a definition, "solpack verify" with an archive',
};

/** Returns what is meant by a word that other tools have for a command; undefined where it is none. */
export function foreignCommand(word: string): string | undefined {
  return Object.hasOwn(commands, word) ? commands[word] : undefined;
}

/** What other tools call an option, and what a command has to say about it. */
const options: Readonly<Record<string, (command: Command) => string | undefined>> = {
  '--help': (command) =>
    `"solpack ${command.name()} --help" prints the common options, "solpack ${command.name()} ${ALL}" everything`,
  '--dry-run': dryRunHint,
  '--yes': confirmationHint,
  '-y': confirmationHint,
  '--verbose': () => '"--progress lines" prints each step',
  '-v': () => '"--progress lines" prints each step',
};

function dryRunHint(command: Command): string | undefined {
  if (has(command, '--plan')) return `"solpack ${command.name()} --plan" prints what it would do`;
  return command.name() === 'pack' ? '"solpack check" finds what is wrong, and writes nothing' : undefined;
}

function confirmationHint(command: Command): string {
  if (has(command, '--allow-removal'))
    return '--allow-removal NAME agrees to what goes for good, and nothing else is asked';
  return `"solpack ${command.name()}" asks for no confirmation`;
}

/** What is wrong with a command line, and what is meant or where to look. */
interface UsageWords {
  readonly message: string;
  readonly hint: string;
}

/** Returns what a person reads about a command line that is wrong. */
export async function usageWords(error: CommandLineError, argv: readonly string[]): Promise<UsageWords> {
  const { command, message } = error;
  const words = beforeArguments(argv);
  if (error.code === 'commander.unknownCommand') {
    const word = command.args[0] ?? '';
    const meant = foreignCommand(word);
    if (meant !== undefined) return { message: `unknown command '${word}'`, hint: meant };
  }
  if (error.code === 'commander.unknownOption' || error.code === 'commander.missingMandatoryOptionValue') {
    const flag = command.args.find((word) => word.length > 1 && word.startsWith('-') && words.includes(word));
    if (flag !== undefined)
      return { message: `unknown option '${flag}'`, hint: await optionHint(flag, command, words) };
  }
  const said = message.replace(/\s+/g, ' ').replace(/\.$/, '');
  // Whoever has not set up this machine types what somebody else does who has.
  const isSaidByProfile =
    error.code === 'commander.missingMandatoryOptionValue' &&
    profileOptions(command).some(({ of }) => message.includes(`'${of.flags}'`));
  const setup = isSaidByProfile ? `${IN_PROFILE}; ` : '';
  return { message: said, hint: `${setup}${helpHint(command)}` };
}

/** Returns the command of a command line, if it has an option that stands before it, and how that is written. */
function commandWith(flag: string, program: Command, argv: readonly string[]): string | undefined {
  const meant = program.commands.find((one) => argv.includes(one.name()));
  const option = meant?.options.find(({ long, short }) => flag === long || flag === short);
  return meant === undefined || option === undefined
    ? undefined
    : `${meant.name()} ${option.flags.split(', ').at(-1)!}`;
}

async function optionHint(flag: string, command: Command, argv: readonly string[]): Promise<string> {
  const [name = ''] = flag.split('=');
  const after = command.parent === null ? commandWith(name, command, argv) : undefined;
  if (after !== undefined) return `options of a command follow it: solpack ${after}`;
  const said = Object.hasOwn(options, name) ? options[name]!(command) : undefined;
  if (said !== undefined) return said;
  const known = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  const meant = name.startsWith('--') ? await meantWord(name, known) : undefined;
  return meant === undefined ? helpHint(command) : `did you mean ${meant}? ${helpHint(command)}`;
}

function has(command: Command, flag: string): boolean {
  return command.options.some(({ long }) => long === flag);
}

function helpHint(command: Command): string {
  return command.parent === null
    ? '"solpack --help" lists the commands'
    : `"solpack ${command.name()} --help" shows how it is used`;
}
