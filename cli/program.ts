import { Command, Option } from 'commander';
import { requireApart } from './apart.ts';
import { absolute } from './arguments.ts';
import { CommandLineError } from './command-line-error.ts';
import { type CommonOptions, progressChoices } from './command-session.ts';
import { everyDayPage } from './help/every-day.ts';
import { takeNotes } from './help/notes.ts';
import { pageOf } from './help/page.ts';
import { briefPage } from './help/shared.ts';
import { helpText } from './help/text.ts';
import { useOwnCluster } from './in-cluster.ts';
import type { Io } from './io.ts';
import { inAscii } from './lines.ts';
import { EVERY_DAY, OUTPUT } from './option-groups.ts';
import { useProfile, useProfileFirst } from './profile.ts';
import { takesProfile } from './profile-options.ts';
import { renamedWords } from './renamed.ts';
import { commandSession } from './session.ts';
import { suggestChoices } from './suggest.ts';

/** Makes a command. It calls `exit` where it ends with another code than 0. */
export type CommandFactory = (io: Io, exit: (code: number) => void) => Command;

/**
 * Every command by its name, in the groups and in the order of `--help`. Each is loaded only when it is made, because
 * most starts are of one command.
 */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<CommandFactory>>>>> = {
  [EVERY_DAY]: {
    init: async () => (await import('./commands/init.ts')).initCommand,
    pack: async () => (await import('./commands/pack.ts')).packCommand,
    setup: async () => (await import('./commands/setup.ts')).setupCommand,
    install: async () => (await import('./commands/install.ts')).installCommand,
    status: async () => (await import('./commands/status.ts')).statusCommand,
  },
  'Make:': {
    images: async () => (await import('./commands/images.ts')).imagesCommand,
    update: async () => (await import('./commands/update.ts')).updateCommand,
    check: async () => (await import('./commands/check.ts')).checkCommand,
  },
  'Look:': {
    inspect: async () => (await import('./commands/inspect.ts')).inspectCommand,
    ls: async () => (await import('./commands/ls.ts')).lsCommand,
    extract: async () => (await import('./commands/extract.ts')).extractCommand,
    mount: async () => (await import('./commands/mount.ts')).mountCommand,
    unmount: async () => (await import('./commands/mount.ts')).unmountCommand,
    render: async () => (await import('./commands/render.ts')).renderCommand,
    diff: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  'Trust:': {
    keygen: async () => (await import('./commands/keygen.ts')).keygenCommand,
    sign: async () => (await import('./commands/sign.ts')).signCommand,
    unsign: async () => (await import('./commands/unsign.ts')).unsignCommand,
    verify: async () => (await import('./commands/verify.ts')).verifyCommand,
    trust: async () => (await import('./commands/trust.ts')).trustCommand,
    scan: async () => (await import('./commands/scan.ts')).scanCommand,
  },
  'Move:': {
    push: async () => (await import('./commands/push.ts')).pushCommand,
    pull: async () => (await import('./commands/pull.ts')).pullCommand,
    delta: async () => (await import('./commands/delta.ts')).deltaCommand,
    merge: async () => (await import('./commands/merge.ts')).mergeCommand,
    export: async () => (await import('./commands/export.ts')).exportCommand,
    serve: async () => (await import('./commands/serve.ts')).serveCommand,
    'join-mirror': async () => (await import('./commands/join-mirror.ts')).joinMirrorCommand,
    'leave-mirror': async () => (await import('./commands/join-mirror.ts')).leaveMirrorCommand,
  },
  'Install:': {
    import: async () => (await import('./commands/import.ts')).importCommand,
    unimport: async () => (await import('./commands/unimport.ts')).unimportCommand,
    activate: async () => (await import('./commands/activate.ts')).activateCommand,
    deactivate: async () => (await import('./commands/deactivate.ts')).deactivateCommand,
    resolve: async () => (await import('./commands/resolve.ts')).resolveCommand,
    seed: async () => (await import('./commands/seed.ts')).seedCommand,
    load: async () => (await import('./commands/load.ts')).loadCommand,
    profile: async () => (await import('./commands/profile.ts')).profileCommand,
  },
  'Day two:': {
    history: async () => (await import('./commands/history.ts')).historyCommand,
    rollback: async () => (await import('./commands/rollback.ts')).rollbackCommand,
    repair: async () => (await import('./commands/repair.ts')).repairCommand,
    agent: async () => (await import('./commands/agent.ts')).agentCommand,
    approval: async () => (await import('./commands/approval.ts')).approvalCommand,
    boot: async () => (await import('./commands/boot.ts')).bootCommand,
    uninstall: async () => (await import('./commands/uninstall.ts')).uninstallCommand,
    settle: async () => (await import('./commands/settle.ts')).settleCommand,
    'support-bundle': async () => (await import('./commands/support-bundle.ts')).supportBundleCommand,
  },
  'Help:': {
    help: async () => (await import('./commands/help.ts')).helpCommand,
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
    explain: async () => (await import('./commands/explain.ts')).explainCommand,
    docs: async () => (await import('./commands/docs.ts')).docsCommand,
    schema: async () => (await import('./commands/schema.ts')).schemaCommand,
    completion: async () => (await import('./commands/completion.ts')).completionCommand,
  },
};

/**
 * Makes the whole command line. To make all commands takes longer than most of them do before they look at a file: with
 * the name of one as `only`, nothing but that is made, and with `--version` none. Any other word is passed over.
 */
export async function programOf(
  io: Io,
  version: string,
  exit: (code: number) => void,
  only?: string,
): Promise<Command> {
  const program = new Command('solpack')
    .description('Packs a Kubernetes Solution into one signed archive, and installs it without a network.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    // `init NAME --version 1.0.0` asks for another version than that of solpack.
    .enablePositionalOptions()
    .showSuggestionAfterError();
  for (const [heading, factories] of Object.entries(groups)) {
    for (const factory of await Promise.all(wantedOf(factories, only).map((load) => load()))) {
      program.addCommand(withCommon(factory(io, exit)).helpGroup(heading));
    }
  }
  program.hook('preSubcommand', (_, command) => useProfileFirst(io, command));
  program.hook('preAction', async (_, command) => {
    await useProfile(io, command);
    useOwnCluster(io, command);
    await requireApart(io, command);
    const { logFile } = command.opts<CommonOptions>();
    if (logFile !== undefined) await io.log.open(absolute(io, logFile), { argv: io.argv, version });
    const renamed = renamedWords(command);
    if (renamed.length === 0) return;
    const { onEvent } = commandSession(io, command.opts<CommonOptions>()).flow;
    for (const message of renamed) onEvent({ type: 'notice', message });
  });
  for (const command of [program, ...program.commands]) {
    takeNotes(command);
    suggestChoices(command);
    command
      .exitOverride((error) => {
        throw new CommandLineError(error, command);
      })
      .addHelpOption(
        new Option(
          '-h, --help',
          command === program ? 'print this' : 'print this; --help=all prints everything',
        ).helpGroup(command === program ? 'Options:' : OUTPUT),
      )
      .configureHelp({
        formatHelp: (shown, help) =>
          helpText(everyDayPage(briefPage(pageOf(shown, help), program)), help.helpWidth ?? io.stdout.columns),
      })
      .configureOutput({
        writeOut: (text) => io.stdout.write(io.stdout.isAscii ? inAscii(text) : text),
        // `fail` reports errors, in one line.
        writeErr: () => undefined,
        getOutHelpWidth: () => io.stdout.columns,
      });
  }
  return program;
}

function wantedOf<T>(factories: Readonly<Record<string, T>>, only: string | undefined): readonly T[] {
  if (only === '--version' || only === '-V') return [];
  return isCommand(only) ? [factories[only]].filter((one) => one !== undefined) : Object.values(factories);
}

function isCommand(word: string | undefined): word is string {
  return word !== undefined && Object.values(groups).some((factories) => Object.hasOwn(factories, word));
}

function withCommon(command: Command): Command {
  command.optionsGroup(OUTPUT);
  if (takesProfile(command)) {
    command
      .option('--profile <file>', 'use the settings of this machine from this file; "solpack profile" lists them')
      .option('--no-profile', 'use no profile');
  }
  return command
    .option('--json', 'print the result as JSON')
    .addOption(
      new Option('--progress <style>', 'how progress is shown on stderr, instead of as SOLPACK_PROGRESS says').choices([
        ...progressChoices,
      ]),
    )
    .option('--no-progress', 'show no progress')
    .option('-q, --quiet', 'the same')
    .option('--log-file <file>', 'append what is done, and how it ends, to this file, as lines of JSON');
}
