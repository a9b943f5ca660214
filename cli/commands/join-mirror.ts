import { Command } from 'commander';
import { readFile } from '../../lib/command.ts';
import { type JoinMirrorRequest, joinMirror, leaveMirror } from '../../lib/index.ts';
import { absolute, registryUrl, repeated, usage } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { authorities, mediaContext } from '../place.ts';
import { formerName } from '../renamed.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { joinView, leaveView } from '../view/mirrors.ts';

interface LeaveOptions extends CommonOptions {
  readonly hostsDir: string;
  readonly registry?: string[];
}

interface JoinOptions extends LeaveOptions {
  readonly servedAt: string[];
  readonly caFile?: string;
  readonly username?: string;
  readonly passwordFile?: string;
  readonly configuration?: string;
  readonly allowUnreachable?: boolean;
}

/** Most bytes of a file with a password. */
const PASSWORD = 64 * 1024;

const hostsDir = ['--hosts-dir <dir>', "containerd's config_path on this node", '/etc/containerd/certs.d'] as const;

const help = `
The authority is copied beside each hosts.toml. Only its owner can read a hosts.toml with a password. Which registries:
those of --registry and of the archives of -f; without both, those of which the servers say that they have images.

Examples:
  $ solpack join-mirror --served-at https://10.0.0.1:5000 --served-at https://10.0.0.2:5000 \\
      --ca-file ca.pem --username node --password-file /root/mirror-password
  $ solpack join-mirror --served-at http://127.0.0.1:5000 --registry docker.io --registry quay.io
  $ solpack status --hosts-dir /etc/containerd/certs.d`;

/** Makes the command `solpack join-mirror`. */
export function joinMirrorCommand(io: Io): Command {
  const command = new Command('join-mirror')
    .summary('make this node pull images from running "solpack serve"')
    .description(
      'Makes containerd on this node pull images by their own names from servers, the first one first, and from ' +
        'nobody else. First it asks each server whether it answers to this authority and this password. ' +
        'containerd need not be restarted. Run it on every node; running it again changes nothing.',
    )
    .requiredOption(
      '--served-at <url>',
      'a "solpack serve"; may be repeated: if one fails, the next one is asked',
      repeated,
    )
    .option(
      '--ca-file <pem>',
      'the authority that signed the certificates of the servers, if this machine does not trust it already',
    )
    .option('--username <name>', 'log in to the servers as this user, with --password-file')
    .option('--password-file <file>', 'the password is the first line of this file')
    .option(...hostsDir)
    .option(
      '--registry <host>',
      'a registry whose images are pulled from the servers (HOST[:PORT]); may be repeated',
      repeated,
    )
    .option('-f, --configuration <file>', 'the registries of the images in the archives of this SolutionsConfiguration')
    .option('--allow-unreachable', 'continue if a server does not answer, as long as one does')
    .addHelpText('after', help)
    .action(async (options: JoinOptions) => {
      const session = commandSession(io, options);
      const request = await requestOf(io, options);
      const { removed: _, ...result } = await joinMirror(request, session.flow);
      printResult(session, options, 'join-mirror', { hostsDir: request.hostsDir, ...result }, joinView);
    });
  return formerName(formerName(command, '--server', '--served-at'), '--ca', '--ca-file');
}

/** Makes the command `solpack leave-mirror`. */
export function leaveMirrorCommand(io: Io): Command {
  return new Command('leave-mirror')
    .summary('undo "solpack join-mirror" on this node')
    .description(
      'Removes what "solpack join-mirror" has written, with the password. A hosts.toml that somebody has edited ' +
        'since stays, and so does one that an install needs too.',
    )
    .option(...hostsDir)
    .option('--registry <host>', 'this registry alone (HOST[:PORT]); may be repeated', repeated)
    .addHelpText('after', '\nExamples:\n  $ solpack leave-mirror\n  $ solpack leave-mirror --registry quay.io')
    .action(async (options: LeaveOptions) => {
      const session = commandSession(io, options);
      const folder = absolute(io, options.hostsDir);
      const { removed, written: kept } = await leaveMirror({ hostsDir: folder, registries: registriesOf(options) });
      printResult(session, options, 'leave-mirror', { hostsDir: folder, removed, kept }, leaveView);
    });
}

async function requestOf(io: Io, options: JoinOptions): Promise<JoinMirrorRequest> {
  const { servedAt, caFile, configuration, allowUnreachable = false } = options;
  return {
    hostsDir: absolute(io, options.hostsDir),
    servers: servedAt.map(serverUrl),
    ca: caFile === undefined ? undefined : await authorities(absolute(io, caFile)),
    login: await loginOf(io, options),
    registries: registriesOf(options),
    configuration: configuration === undefined ? undefined : absolute(io, configuration),
    media: mediaContext(io),
    allowUnreachable,
  };
}

function serverUrl(value: string): string {
  const { username, password, href } = new URL(registryUrl(value));
  if (username === '' && password === '') return href.replace(/\/$/, '');
  throw usage('--served-at', 'holds a user or a password', 'give --username and --password-file');
}

/** A registry is a name of a folder: a path would be another one. */
function registriesOf({ registry }: LeaveOptions): readonly string[] | undefined {
  const wrong = registry?.find((host) => !/^(?:_default|[A-Za-z0-9[][A-Za-z0-9.:\]-]*)$/.test(host));
  if (wrong === undefined) return registry;
  throw usage('--registry', `${JSON.stringify(wrong)} is not the host of a registry`, 'write HOST or HOST:PORT');
}

async function loginOf(io: Io, { username, passwordFile }: JoinOptions): Promise<JoinMirrorRequest['login']> {
  if (username === undefined && passwordFile === undefined) return undefined;
  if (username === undefined) throw usage('--password-file', 'is given alone', 'give --username too');
  if (passwordFile === undefined) throw usage('--username', 'is given alone', 'give --password-file too');
  const text = Buffer.from(await readFile(absolute(io, passwordFile), PASSWORD)).toString();
  const [password = ''] = text.split(/\r?\n/);
  if (password !== '') return { username, password };
  throw usage('--password-file', `${passwordFile} has no password in its first line`, 'write it there');
}
