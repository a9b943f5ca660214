import { Argument, Command } from 'commander';
import { isProfileKey, meantWord, profileFields, readProfile, setProfile, unsetProfile } from '../../lib/command.ts';
import type { ProfileField, ProfileKey } from '../../lib/index.ts';
import { usage } from '../arguments.ts';
import { kubeconfigFrom } from '../in-cluster.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { configurationHere, profilePath } from '../profile.ts';
import { addProfileFlags, flagInstead, settingFlags } from '../profile-flags.ts';
import { type CommandSession, type CommonOptions, commandSession } from '../session.ts';
import { profileView } from '../view/profile.ts';

interface Options extends CommonOptions {
  readonly profile?: string | false;
}

/** Makes the command `solpack profile`. */
export function profileCommand(io: Io): Command {
  const command = new Command('profile')
    .summary('print and change the settings of this machine')
    .description(
      'Prints the profile of this machine: settings that commands use unless a flag says otherwise, and the ' +
        'source of each: a flag, if one is given here as to another command, a line of the profile, or the default. "set" changes a setting, and "unset" removes it; comments stay. The profile is the file ' +
        'of --profile or SOLPACK_PROFILE, or ~/.config/solpack/profile.toml if it exists, otherwise ' +
        '/etc/solpack/profile.toml. It is refused if somebody else may change it.',
    )
    .addArgument(new Argument('[action]', 'what to do (default: print)').choices(['set', 'unset']))
    .argument('[key]', 'the setting, such as kubeconfig or images.hosts-dir')
    .argument('[value]', 'its value; several paths have commas between them')
    .option('--profile <file>', 'the profile')
    .addHelpText('after', help);
  addProfileFlags(command);
  return command.action(
    async (action: string | undefined, key: string | undefined, value: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      const { path } = await profilePath(io);
      if (path === undefined) throw usage('--no-profile', 'leaves nothing to print', 'leave it out');
      const given = settingFlags(io, command);
      const [flag] = given.values();
      if (action !== undefined && flag !== undefined) {
        throw usage(flag.flag, `is not for "profile ${action}"`, `write: solpack profile ${action} KEY`);
      }
      const changed = action === undefined ? undefined : await change(session, path, action, key, value);
      const profile = await readProfile(path);
      const names = (Object.keys(profileFields) as ProfileKey[]).filter((name) => (changed ?? name) === name);
      const usual = await usualValues(io);
      const settings = names.map((name) => {
        const said = profile?.settings.get(name);
        const [own, instead] = [given.get(name), flagInstead(name, given)];
        return {
          key: name,
          title: profileFields[name].title,
          ...(said === undefined ? {} : { value: said.value, line: said.position.line }),
          ...own,
          ...(said === undefined || instead === undefined ? {} : { replacedBy: instead }),
          ...sourceOf(own?.flag, said?.value, usual.get(name)?.default),
          ...usual.get(name),
        };
      });
      printResult(session, options, 'profile', { path, exists: profile !== undefined, settings }, profileView);
    },
  );
}

/** Where the value of a setting comes from; nothing where it has none. */
function sourceOf(flag: unknown, said: unknown, usual: unknown): { readonly source?: 'flag' | 'profile' | 'default' } {
  if (flag !== undefined) return { source: 'flag' };
  if (said !== undefined) return { source: 'profile' };
  return usual === undefined ? {} : { source: 'default' };
}

/** What counts where a profile does not say it. */
async function usualValues(io: Io): Promise<ReadonlyMap<ProfileKey, { readonly default?: string | number | boolean }>> {
  const configuration = await configurationHere(io);
  const fields = Object.entries(profileFields) as [ProfileKey, ProfileField][];
  return new Map(
    fields.map(([key, { default: value }]) => {
      if (value === undefined) return [key, {}];
      return [key, { default: key === 'configuration' ? configuration : value }];
    }),
  );
}

/** Sets or unsets a setting, and returns its name. Paths that a user types are relative to where they type them. */
async function change(
  { io, flow }: CommandSession,
  path: string,
  action: string,
  key: string | undefined,
  value: string | undefined,
): Promise<ProfileKey> {
  if (key === undefined || (value === undefined) !== (action === 'unset')) {
    throw action === 'unset'
      ? usage('profile unset', 'needs a setting, and no value', 'write profile unset KEY')
      : usage('profile set', 'needs a setting and its value', 'write profile set KEY VALUE');
  }
  if (!isProfileKey(key)) {
    const meant = await meantWord(key, Object.keys(profileFields));
    throw usage(key, 'is no setting', meant === undefined ? '"solpack profile" lists them' : `did you mean ${meant}?`);
  }
  if (value === undefined) {
    await unsetProfile(path, key, flow);
    return key;
  }
  const { type } = profileFields[key];
  if (value === '' && (type === 'path' || type === 'paths')) {
    throw usage(key, 'is empty', `name a file, or write: solpack profile unset ${key}`);
  }
  const full = (one: string): string => kubeconfigFrom(io.cwd, one);
  const words = type === 'paths' ? value.split(',').map((one) => one.trim()) : [value];
  await setProfile(path, key, (type === 'path' || type === 'paths' ? words.map(full) : words).join(','), flow);
  return key;
}

const help = `
Examples:
  $ solpack profile
  $ solpack profile --kubeconfig other.conf       # what an install with that flag would use
  $ solpack profile set kubeconfig /etc/kubernetes/admin.conf
  $ solpack profile set keys /etc/solpack/release.pub
  $ solpack profile unset images.registry`;
