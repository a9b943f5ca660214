import type { Event } from '../lib/index.ts';
import type { CommandRun } from './io.ts';

/** Says what an interrupted command has left, and what the same command does when it is run again. */
type LeftBehind = string | ((asked: (option: string) => boolean) => string);

const NOTHING = 'nothing was changed';

/** What a user reads who has ended a command before it has changed anything. */
export const UNTOUCHED = `interrupted; ${NOTHING}`;

const EDITED = 'the configuration is as it was, or changed as a whole; the same command does what is left to do';
const APPLIED = 'what was done so far stays, and the same command does the rest';

/** Where something of an archive was written, the run itself says what is left of it. */
const UNBEGUN = 'nothing of the archive was written by this run; the same command does all that is left to do';

/** The words by which `pack` is asked to send the archive to standard output. */
const STDOUT = ['-', '-o-', '--output=-'];

const unlessPlanned =
  (words: string): LeftBehind =>
  (asked) =>
    asked('--plan') ? NOTHING : words;

const paged: LeftBehind = (asked) =>
  asked('--html') ? 'the page exists complete or not at all; the same command writes it anew' : NOTHING;

/** What each command says; one that only reads has nothing to say. */
const commands: Readonly<Record<string, LeftBehind>> = {
  init: 'solution.toml exists complete or not at all; if it does not, the same command starts over',
  images: (asked) =>
    asked('--write') || asked('--prune')
      ? 'the definition is as it was, or was edited as a whole; the same command does what is left to do'
      : NOTHING,
  update: unlessPlanned(
    'the definition and the lock are as they were, or each was replaced as a whole; the same command does what is left to do',
  ),
  pack: (asked) => {
    if (STDOUT.some(asked)) return 'what was sent is not a whole archive; the same command starts over';
    return asked('--resume')
      ? UNBEGUN
      : 'nothing of the archive was kept, and the same command starts over; --resume keeps and continues what was written';
  },
  inspect: paged,
  diff: paged,
  status: paged,
  extract: 'what was extracted was removed again, and the same command starts over',
  mount: 'the archive is mounted or it is not; the same command finds that out, and does what is left to do',
  unmount: 'the archive is mounted or it is not; the same command finds that out, and does what is left to do',
  render: (asked) =>
    asked('-o') || asked('--output')
      ? 'files that were written stay, and the same command writes all of them anew'
      : NOTHING,
  keygen: 'no key was replaced; a private key without its public half is useless: remove it, and run the same command',
  sign: 'each signature exists complete or not at all, and the same command adds those that are missing',
  unsign: 'each signature exists complete or not at all, and the same command removes those that are left',
  trust: (asked) =>
    asked('show')
      ? NOTHING
      : 'each file is as it was, or replaced as a whole; the same command does what is left to do',
  scan: 'each file exists complete or not at all; the same command scans anew',
  push: 'what was sent stays in the registry, where the tag of the Solution is set last; the same command sends the rest',
  pull: UNBEGUN,
  delta: UNBEGUN,
  merge: UNBEGUN,
  export: 'nothing of the file was kept, and the same command starts over',
  serve: 'nothing is served any longer; what was pushed to its store stays there',
  'join-mirror': 'each hosts.toml is unchanged or complete, and the same command writes the rest',
  'leave-mirror': 'each hosts.toml is unchanged or complete, and the same command removes the rest',
  import: EDITED,
  unimport: EDITED,
  activate: EDITED,
  deactivate: EDITED,
  install: unlessPlanned(`${APPLIED}; "solpack status" shows how far a cluster has come`),
  seed: APPLIED,
  load: unlessPlanned(APPLIED),
  rollback: `${APPLIED}; "solpack status" shows how far the cluster has come`,
  repair: 'what was restored stays, and the same command restores the rest',
  uninstall: 'what was removed is gone, and the same command removes the rest',
  boot: 'the loader in the cluster continues, and the same command follows it',
  agent: 'what was done so far stays, and the next agent continues',
  approval: 'the decision is recorded or it is not; the same command records it',
  settle: 'the ConfigMap is as it was, or says how the install ended',
  profile: (asked) =>
    asked('set') || asked('unset')
      ? 'the profile is as it was, or replaced as a whole; the same command does what is left to do'
      : NOTHING,
  setup: (asked) =>
    asked('--plan')
      ? NOTHING
      : asked('--undo')
        ? 'what was taken back is gone, and the same command takes back the rest'
        : 'what was done so far is recorded; the same command does the rest, and --undo undoes it',
  'support-bundle': 'no bundle was written, and the same command starts over',
};

/** Whether the command that is asked for by `argv` sends an archive to standard output. */
export function sendsArchive([name, ...words]: readonly string[]): boolean {
  return name === 'pack' && words.some((word) => STDOUT.includes(word));
}

/** Commands that look for long before they change something, and tell when they begin to. */
const looking: readonly string[] = ['install', 'seed', 'load', 'rollback', 'repair', 'uninstall'];

/** Commands that apply something to a cluster, and say what they have left there once they do. */
const applying: readonly string[] = ['install', 'seed'];

const AROUND = 'no cluster was changed; what else was done, such as images, stays, and the same command does the rest';

/**
 * Steps that change something, and of those the ones that do so in a cluster. What is applied there is reported by its
 * components.
 */
const changing: readonly string[] = ['edit', 'load', 'push', 'place', 'pin', 'mirror'];
const changingClusters: readonly string[] = ['repair', 'uninstall', 'replace', 'migrate', 'remove', 'hook'];

/** Notes what an event says of what a command has begun to change, or has left. */
export function noteChange(run: Omit<CommandRun, 'ended'>, event: Event, argv: readonly string[]): void {
  if (event.type === 'left') run.left = event.message;
  const step = event.type === 'step' ? event.step : '';
  const isRendered = argv.some((word) => word === '--render' || word.startsWith('--render='));
  run.hasApplied ||= event.type === 'component' || changingClusters.includes(step);
  run.hasChanged ||= run.hasApplied || changing.includes(step) || (step === 'apply' && isRendered);
}

/**
 * Returns what a user reads who has ended a command: one sentence about what was asked by `argv`, or about what the run
 * says that it has left.
 */
export function interruptedWords(argv: readonly string[], run?: Omit<CommandRun, 'ended'>): string {
  const [name = '', ...words] = argv;
  if (run?.left !== undefined) return `interrupted; ${run.left}`;
  if (run?.hasChanged && !run.hasApplied && applying.includes(name)) return `interrupted; ${AROUND}`;
  const isUntouched = run?.hasChanged === false && looking.includes(name);
  const left = Object.hasOwn(commands, name) && !isUntouched ? commands[name]! : NOTHING;
  const asked = (option: string): boolean =>
    words.some((word) => word === option || (option.startsWith('--') && word.startsWith(`${option}=`)));
  return `interrupted; ${typeof left === 'string' ? left : left(asked)}`;
}
