import { join } from 'node:path';
import { type Command, Option } from 'commander';
import {
  certificatesFrom,
  credentialHelpers,
  credentialsFromFiles,
  listReferenceTags,
  openReference,
  openRegistries,
  readLocations,
} from '../lib/command.ts';
import type {
  FindCredentials,
  Flow,
  NamedSource,
  Reference,
  Registries,
  RegistryOptions,
  SourceConnections,
} from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import { homeFolder, xdgFolder } from './home.ts';
import { type Io, ownEnvironment } from './io.ts';
import { REGISTRY } from './option-groups.ts';
import { proxyEnvironment, proxyOf } from './proxy.ts';

/** Options of commands that talk to registries. */
export interface RegistryFlags {
  readonly authfile?: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
  readonly certsDir?: string;
  readonly tlsVerify?: boolean;
  readonly plainHttp?: boolean;
}

/** Most bytes of a password that is read from standard input. */
const PASSWORD = 64 * 1024;

/** Adds the options of `RegistryFlags`. With `login`, also those of a login, for commands that talk to one registry. */
export function registryFlags(command: Command, login: boolean): Command {
  command
    .optionsGroup(REGISTRY)
    .option('--authfile <file>', 'credentials for registries, as podman and docker keep them');
  if (login) {
    command
      .option('--username <name>', 'log in to the registry as this user, with --password-stdin')
      .option('--password-stdin', 'read the password, or a token, from standard input');
  }
  return command
    .option('--certs-dir <dir>', 'certificates for registries, below HOST:PORT as in /etc/containers/certs.d')
    .option('--no-tls-verify', 'accept any certificate of a registry');
}

/** Makes the option of `RegistryFlags` for commands that name registries without a scheme. */
export function plainHttpOption(): Option {
  return new Option(
    '--plain-http',
    'talk to registries without TLS; loopback addresses do not need this flag',
  ).helpGroup(REGISTRY);
}

/** The environment for registries, in `--help`. */
export const registryEnvironment = `  REGISTRY_AUTH_FILE  credentials for registries (default: the files that podman, skopeo and docker use)
  CONTAINERS_REGISTRIES_CONF  where registries and their mirrors are (default: registries.conf of podman and skopeo)
${proxyEnvironment}`;

/**
 * Returns how to talk to registries: by the flags, then by the files of container tools on this machine. `registry` is
 * the host that a login is for. Throws `usage-invalid` and `registries-invalid`.
 */
export async function registryOptions(
  io: Io,
  flags: RegistryFlags,
  flow: Flow,
  registry?: string,
): Promise<RegistryOptions> {
  const { files, folders } = configurationPaths(io);
  const own = flags.certsDir === undefined ? [] : [absolute(io, flags.certsDir)];
  return {
    credentials: await credentialsOf(io, flags, flow, registry),
    certificates: await certificatesFrom([...own, ...certificateFolders(io)]),
    proxy: proxyOf(io),
    locations: await readLocations(files, folders),
    signal: flow.signal,
    onWarning: (message) => flow.onEvent({ type: 'notice', message }),
    ...(flags.tlsVerify === false ? { insecure: true } : {}),
    ...(flags.plainHttp ? { plainHttp: true } : {}),
  };
}

/** Connections to the repositories of pulls, which they share. */
export interface RegistryConnections {
  connect(reference: Reference, sentBy?: URL): Promise<NamedSource>;
  /** How components are fetched, with the same logins, certificates and proxies. */
  readonly sources: SourceConnections;
  close(): Promise<void>;
}

/**
 * Connects to repositories as `flags` and the files of this machine say, which are read before the first connection.
 * `registry` is the host that a login is for.
 */
export function registryConnections(io: Io, flags: RegistryFlags, flow: Flow, registry?: string): RegistryConnections {
  let begun: Promise<{ options: RegistryOptions; registries: Registries }> | undefined;
  const start = async (): Promise<{ options: RegistryOptions; registries: Registries }> => {
    const options = await registryOptions(io, flags, flow, registry);
    return { options, registries: await openRegistries(options) };
  };
  const begin = async (): Promise<{ options: RegistryOptions; registries: Registries }> => {
    begun ??= start();
    return begun;
  };
  const connect = async (reference: Reference, sentBy?: URL): Promise<NamedSource> => {
    const { options, registries } = await begin();
    return openReference(registries, reference, options, sentBy);
  };
  return {
    connect,
    sources: {
      connect,
      tags: async (reference, sentBy) => {
        const { options, registries } = await begin();
        return listReferenceTags(registries, reference, options, sentBy);
      },
      download: async (url, sentBy) => {
        const { registries } = await begin();
        return registries.download(url, sentBy);
      },
      gitEnvironment: ownEnvironment(io),
      plainHttp: flags.plainHttp === true,
    },
    close: async () => (await begun?.catch(() => undefined))?.registries.close(),
  };
}

async function credentialsOf(
  io: Io,
  flags: RegistryFlags,
  flow: Flow,
  registry: string | undefined,
): Promise<FindCredentials> {
  const { username, passwordStdin } = flags;
  const helpers = await credentialHelpers({ host: flow.host, env: ownEnvironment(io), signal: flow.signal });
  const files = await credentialsFromFiles(authFiles(io, flags), helpers);
  if (username === undefined && !passwordStdin) return files;
  if (username === undefined || !passwordStdin || registry === undefined) {
    const [given, lacking] =
      username === undefined ? ['--password-stdin', '--username'] : ['--username', '--password-stdin'];
    throw usage(
      given,
      `needs ${lacking}, and a registry to log in to`,
      'a password is never given on the command line',
    );
  }
  const login = { username, password: await passwordOf(io) };
  return async (host, repository) => (host === registry ? login : files(host, repository));
}

/** What was read from standard input, which can be read once: a command may talk to several registries. */
const passwords = new WeakMap<Io, Promise<string>>();

function passwordOf(io: Io): Promise<string> {
  const password = passwords.get(io) ?? readPassword(io);
  passwords.set(io, password);
  return password;
}

async function readPassword(io: Io): Promise<string> {
  const text = Buffer.from(await (io.input?.(PASSWORD) ?? new Uint8Array()))
    .toString()
    .replace(/\r?\n$/, '');
  if (text !== '') return text;
  throw usage('--password-stdin', 'found nothing on standard input', 'write: cat password.txt | solpack ...');
}

/**
 * Returns the files with credentials, in order: the one that the user named, otherwise those of containers-auth.json(5)
 * and of docker.
 */
function authFiles(io: Io, { authfile }: RegistryFlags): string[] {
  const { env } = io;
  const named = authfile ?? env['REGISTRY_AUTH_FILE'];
  const runtime = env['XDG_RUNTIME_DIR'];
  const home = homeFolder(io);
  const docker = env['DOCKER_CONFIG'] || (home && join(home, '.docker'));
  const files = named
    ? [named]
    : [
        ...(runtime ? [join(runtime, 'containers/auth.json')] : []),
        ...ownFiles(io, 'containers/auth.json'),
        ...(docker ? [join(docker, 'config.json')] : []),
      ];
  return files.map((file) => absolute(io, file));
}

/**
 * Returns where containers-registries.conf(5) is: only the file that a variable names, otherwise the file of the user
 * or the system, and both of their folders.
 */
function configurationPaths(io: Io): { files: string[]; folders: string[] } {
  const named = io.env['CONTAINERS_REGISTRIES_CONF'] || io.env['REGISTRIES_CONFIG_PATH'];
  if (named) return { files: [absolute(io, named)], folders: [] };
  const places = ['/etc/containers', ...ownFiles(io, 'containers')];
  return {
    files: places.toReversed().map((place) => join(place, 'registries.conf')),
    folders: places.map((place) => join(place, 'registries.conf.d')),
  };
}

function certificateFolders(io: Io): string[] {
  return [...ownFiles(io, 'containers/certs.d'), '/etc/containers/certs.d', '/etc/docker/certs.d'];
}

/** The path of a file in the user's own folder of settings; none if it is unknown which folder that is. */
function ownFiles(io: Io, name: string): string[] {
  const settings = xdgFolder(io, 'XDG_CONFIG_HOME');
  return settings ? [join(settings, name)] : [];
}
