import { Command, Option } from 'commander';
import { requireApart } from './apart.ts';
import { absolute } from './arguments.ts';
import { CommandLineError } from './command-line-error.ts';
import { type CommonOptions, progressChoices } from './command-session.ts';
import { activateCommand } from './commands/activate.ts';
import { agentCommand } from './commands/agent.ts';
import { bootCommand } from './commands/boot.ts';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import { deactivateCommand } from './commands/deactivate.ts';
import { deltaCommand } from './commands/delta.ts';
import { diffCommand } from './commands/diff.ts';
import { docsCommand } from './commands/docs.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { extractCommand } from './commands/extract.ts';
import { helpCommand } from './commands/help.ts';
import { historyCommand } from './commands/history.ts';
import { imagesCommand } from './commands/images.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { inspectCommand } from './commands/inspect.ts';
import { installCommand } from './commands/install.ts';
import { joinMirrorCommand, leaveMirrorCommand } from './commands/join-mirror.ts';
import { keygenCommand } from './commands/keygen.ts';
import { loadCommand } from './commands/load.ts';
import { lsCommand } from './commands/ls.ts';
import { mergeCommand } from './commands/merge.ts';
import { mountCommand, unmountCommand } from './commands/mount.ts';
import { packCommand } from './commands/pack.ts';
import { profileCommand } from './commands/profile.ts';
import { pullCommand } from './commands/pull.ts';
import { pushCommand } from './commands/push.ts';
import { renderCommand } from './commands/render.ts';
import { repairCommand } from './commands/repair.ts';
import { resolveCommand } from './commands/resolve.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { scanCommand } from './commands/scan.ts';
import { schemaCommand } from './commands/schema.ts';
import { seedCommand } from './commands/seed.ts';
import { serveCommand } from './commands/serve.ts';
import { settleCommand } from './commands/settle.ts';
import { setupCommand } from './commands/setup.ts';
import { signCommand } from './commands/sign.ts';
import { statusCommand } from './commands/status.ts';
import { supportBundleCommand } from './commands/support-bundle.ts';
import { trustCommand } from './commands/trust.ts';
import { unimportCommand } from './commands/unimport.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { unsignCommand } from './commands/unsign.ts';
import { verifyCommand } from './commands/verify.ts';
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

/** Every command by its name, in the groups and in the order of `--help`. */
const groups: Readonly<Record<string, Readonly<Record<string, CommandFactory>>>> = {
  [EVERY_DAY]: {
    init: initCommand,
    pack: packCommand,
    setup: setupCommand,
    install: installCommand,
    status: statusCommand,
  },
  'Make:': {
    images: imagesCommand,
    check: checkCommand,
  },
  'Look:': {
    inspect: inspectCommand,
    ls: lsCommand,
    extract: extractCommand,
    mount: mountCommand,
    unmount: unmountCommand,
    render: renderCommand,
    diff: diffCommand,
  },
  'Trust:': {
    keygen: keygenCommand,
    sign: signCommand,
    unsign: unsignCommand,
    verify: verifyCommand,
    trust: trustCommand,
    scan: scanCommand,
  },
  'Move:': {
    push: pushCommand,
    pull: pullCommand,
    delta: deltaCommand,
    merge: mergeCommand,
    export: exportCommand,
    serve: serveCommand,
    'join-mirror': joinMirrorCommand,
    'leave-mirror': leaveMirrorCommand,
  },
  'Install:': {
    import: importCommand,
    unimport: unimportCommand,
    activate: activateCommand,
    deactivate: deactivateCommand,
    resolve: resolveCommand,
    seed: seedCommand,
    load: loadCommand,
    profile: profileCommand,
  },
  'Day two:': {
    history: historyCommand,
    rollback: rollbackCommand,
    repair: repairCommand,
    agent: agentCommand,
    boot: bootCommand,
    uninstall: uninstallCommand,
    settle: settleCommand,
    'support-bundle': supportBundleCommand,
  },
  'Help:': {
    help: helpCommand,
    doctor: doctorCommand,
    explain: explainCommand,
    docs: docsCommand,
    schema: schemaCommand,
    completion: completionCommand,
  },
};

/**
 * Makes the whole command line. To make all commands takes longer than most of them do before they look at a file: with
 * the name of one as `only`, nothing but that is made. A word that is not a command's name is passed over.
 */
export function programOf(io: Io, version: string, exit: (code: number) => void, only?: string): Command {
  const program = new Command('solpack')
    .description('Packs a Kubernetes Solution into one signed archive, and installs it without a network.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    // `init NAME --version 1.0.0` asks for another version than that of solpack.
    .enablePositionalOptions()
    .showSuggestionAfterError();
  for (const [heading, factories] of Object.entries(groups)) {
    const wanted = isCommand(only) ? [factories[only]].filter((one) => one !== undefined) : Object.values(factories);
    for (const factory of wanted) program.addCommand(withCommon(factory(io, exit)).helpGroup(heading));
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
