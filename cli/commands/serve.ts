import { Command, Option } from 'commander';
import { duration, mirrorTexts, servedImages } from '../../lib/command.ts';
import { lend, type Runtime, type ServeRequest, SolpackError, serve } from '../../lib/index.ts';
import { absolute, listenAddress, repeated, usage } from '../arguments.ts';
import { count, type Io, plain } from '../io.ts';
import { printLines } from '../lines.ts';
import { OUTPUT } from '../option-groups.ts';
import { jsonResult } from '../output.ts';
import { caFileOption, mediaContext } from '../place.ts';
import {
  plainHttpOption,
  type RegistryConnections,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
} from '../registry.ts';
import { servedPage } from '../served-page.ts';
import { type CommandSession, type CommonOptions, commandSession } from '../session.ts';
import { rememberedFor, type TrustOptions, trustOf } from '../trust.ts';
import { untilAborted } from '../until-aborted.ts';

interface Options extends CommonOptions, TrustOptions, RegistryFlags {
  readonly configuration?: string;
  readonly kubeconfig?: string;
  readonly caFile?: string;
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly htpasswd?: string;
  readonly store?: string;
  readonly openPush?: boolean;
  readonly expiry?: string;
  readonly maxConnections: string;
  readonly printConfig?: Runtime;
}

const description = `Serves the images of archives as an OCI registry, straight from the archives: nothing is copied. Each image has
its own reference, and each Solution is solutions/NAME:VERSION with its signatures as referrers. If archives appear in
or disappear from the named folders and the configuration, it follows without a restart.
With --store it also accepts pushes, from users of --htpasswd, or with --open-push from everybody.
The first line on stdout is its URL. Runs until it is interrupted.`;

const help = `
Environment:
${registryEnvironment}

Answers /healthz, /readyz and, for Prometheus, /metrics. A browser that opens the URL is shown what is served, and how
clients pull it.

Examples:
  $ solpack serve guestbook-1.1.0.iso
  $ skopeo copy --src-tls-verify=false docker://127.0.0.1:5000/guestbook/web:1.1.0 oci:web
  $ solpack serve /srv/solutions --listen 0.0.0.0:5000 --tls-cert tls.crt --tls-key tls.key --htpasswd users
  $ solpack serve guestbook-1.1.0.iso --print-config podman > /etc/containers/registries.conf.d/solpack.conf
  $ solpack serve /srv/solutions --policy /etc/solpack/trust.toml
  $ solpack serve registry.example.com/solutions/guestbook:1.1.0 --key release.pub
  $ solpack serve --store /var/lib/registry --htpasswd users`;

/** Makes the command `solpack serve`. */
export function serveCommand(io: Io): Command {
  const command = new Command('serve')
    .summary('serve the images of archives as an OCI registry')
    .description(description)
    .argument(
      '[archives...]',
      'archives: files, devices, folders, patterns, https://, folders of archives, and HOST/REPOSITORY:TAG',
    )
    .optionsGroup('What:')
    .option('-f, --configuration <file>', 'serve all archives that a SolutionsConfiguration names')
    .addOption(caFileOption())
    .option('--kubeconfig <file>', 'tell on the page for browsers how Solutions are in the cluster of this kubeconfig')
    .optionsGroup('Trust:')
    .option(
      '--key <pub>',
      'serve only what this key (PEM) has signed; may be repeated: one signature is enough',
      repeated,
    )
    .option('--policy <file>', 'serve only what this trust policy allows ("solpack docs trust")')
    .option('--trust-state <dir>', 'the folder of remembered releases: older ones are not served')
    .optionsGroup('Address:')
    .option('--listen <address>', 'HOST:PORT; port 0 is any free one', '127.0.0.1:5000')
    .option('--tls-cert <pem>', 'use TLS with this certificate, followed by its intermediates')
    .option('--tls-key <pem>', 'the private key of that certificate')
    .option('--htpasswd <file>', 'require a user and a password of this file (hashes of "openssl passwd -6")')
    .option('--max-connections <count>', 'the limit of connections, and of open requests', '3000')
    .optionsGroup('Store:')
    .option('--store <dir>', 'accept pushes, and store them in this folder')
    .option('--open-push', 'accept pushes without a password: everyone who reaches the address may push')
    .option(
      '--expiry <duration>',
      'when stalled uploads, and blobs that no manifest names, are removed from the store',
      '24h',
    )
    .optionsGroup(OUTPUT)
    .addOption(
      new Option('--print-config <runtime>', 'print the mirror configuration of a runtime, and serve nothing').choices([
        'containerd',
        'podman',
        'docker',
        'k3s',
      ]),
    )
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (archives: string[], options: Options) => {
      const session = commandSession(io, options);
      const registries = registryConnections(io, options, session.flow);
      try {
        const request = await requestOf(io, archives, options, registries);
        if (options.printConfig) await printConfig(session, options.printConfig, request, options);
        else await run(session, { ...request, page: servedPage(session, options.kubeconfig) }, options);
      } finally {
        await registries.close();
      }
    });
}

async function requestOf(
  io: Io,
  archives: readonly string[],
  options: Options,
  { connect }: RegistryConnections,
): Promise<ServeRequest> {
  const path = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : absolute(io, value);
  const { tlsCert, tlsKey } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw usage(tlsCert === undefined ? '--tls-key' : '--tls-cert', 'is given alone', 'give --tls-cert and --tls-key');
  }
  if (archives.length === 0 && options.configuration === undefined && options.store === undefined) {
    throw new SolpackError('usage-invalid', 'serve', 'nothing to serve', {
      hint: 'name archives or folders of them, a SolutionsConfiguration with -f, or a store with --store',
    });
  }
  if (options.openPush && options.store === undefined) {
    throw usage('--open-push', 'has no effect without a place for what is pushed', 'add --store DIR');
  }
  if (options.openPush && options.htpasswd !== undefined) {
    throw usage('--open-push', 'contradicts --htpasswd, which requires a password of everybody', 'give one of them');
  }
  return {
    archives: [...new Set(archives)],
    media: mediaContext(io, options.caFile, connect),
    configuration: path(options.configuration),
    listen: listenAddress(options.listen),
    trust: await trustOf(io, options, rememberedFor(io, options)),
    tls: tlsCert && tlsKey ? { certificate: absolute(io, tlsCert), key: absolute(io, tlsKey) } : undefined,
    passwords: path(options.htpasswd),
    store: path(options.store),
    openPush: options.openPush,
    maxConnections: connectionsOf(options.maxConnections),
    expiry: duration(options.expiry ?? '24h', '--expiry'),
  };
}

function connectionsOf(value: string): number {
  if (/^[1-9][0-9]{0,4}$/.test(value)) return Number(value);
  throw usage('--max-connections', `${JSON.stringify(value)} is not a number from 1 to 99999`, 'leave it out for 3000');
}

async function run({ io, flow, progress }: CommandSession, request: ServeRequest, options: Options): Promise<void> {
  await lend(await serve(request, flow), async ({ url, images }) => {
    progress.end();
    progress.endure();
    const lines = [url, `serving ${count(images.length, 'image')}:`, ...images.map((image) => `  ${plain(image)}`)];
    if (options.json) io.stdout.write(jsonResult('serve', { url, images }));
    else printLines(io.stdout, lines);
    await untilAborted(io.signal);
  });
}

async function printConfig(
  { io, flow, progress }: CommandSession,
  runtime: Runtime,
  request: ServeRequest,
  options: Options,
): Promise<void> {
  const { host, port } = request.listen;
  if (port === 0) throw usage('--listen', 'has no fixed port for the configuration', 'give the port that is served on');
  const url = `${request.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { lines, notices } = await mirrorTexts(runtime, await servedImages(request, flow), url);
  for (const message of notices) flow.onEvent({ type: 'notice', subject: runtime, message });
  progress.end();
  if (options.json) io.stdout.write(jsonResult('serve', { runtime, config: lines.join('\n') }));
  else printLines(io.stdout, lines);
}
