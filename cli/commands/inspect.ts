import { Command } from 'commander';
import { describeArchive, readPredicates } from '../../lib/command.ts';
import { inspect, inspectRights, type WantedPredicates } from '../../lib/index.ts';
import { usage } from '../arguments.ts';
import { type HtmlOptions, htmlOption, requireOneOutput, writePage } from '../html-file.ts';
import { type Io, plain } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommandSession, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlace } from '../solution.ts';
import { inspectionView } from '../view/archive.ts';
import { rightsView } from '../view/rights.ts';

interface Options extends HtmlOptions, SolutionOptions {
  readonly all?: boolean;
  readonly sbom?: string | true;
  readonly provenance?: boolean;
  readonly rights?: boolean;
}

/** Makes the command `solpack inspect`. */
export function inspectCommand(io: Io): Command {
  const command = new Command('inspect')
    .summary('show what is in an archive')
    .description(
      'Prints name, version, components, images and signatures of an archive, without reading its payload. From ' +
        'an archive on a server, only these parts are fetched, by range requests; from a Solution in a registry, ' +
        'no layer.',
    )
    .argument(
      '<archive>',
      'an archive: a file (.iso or .tar), a device, a folder where it is mounted or extracted, http:// or https://, or HOST/REPOSITORY:TAG of a registry',
    )
    .option('--all', 'also list every attestation; there may be one for each platform of an image')
    .option('--sbom [image]', 'print SBOMs as they are: all, or those of this image (reference or digest)')
    .option('--provenance', 'print the provenance (SLSA v1) as it is')
    .option(
      '--rights',
      'print the rights of its service accounts, and those that solpack needs; renders it, without a cluster',
    )
    .addOption(htmlOption())
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText(
      'after',
      `\nEnvironment:\n${registryEnvironment}\n\nExamples:\n  $ solpack inspect guestbook-1.1.0.iso\n  $ solpack inspect guestbook-1.1.0.iso --json | jq .images\n  $ solpack inspect guestbook-1.1.0.iso --html guestbook.html\n  $ solpack inspect https://releases.example.com/guestbook-1.1.0.iso\n  $ solpack inspect guestbook-1.1.0.iso --sbom registry.example.com/guestbook/web:1.1.0\n  $ solpack inspect registry.example.com/solutions/guestbook:1.1.0`,
    )
    .action(async (archive: string, options: Options) => {
      const session = commandSession(io, options);
      const wanted = wantedOf(options);
      if (wanted) return printPredicates(session, archive, options, wanted);
      requireOneOutput(options);
      const { at, close } = await solutionPlace(session, archive, options);
      if (options.html !== undefined) {
        const described = await describeArchive(at, session.flow).finally(close);
        const { inspectPage } = await import('../view/html/inspect-page.ts');
        if (!(await writePage(session, options, inspectPage(described)))) return;
        return printResult(session, options, 'inspect', described.inspection, () => []);
      }
      if (options.rights) {
        const rights = await inspectRights(at, session.flow).finally(close);
        return printResult(session, options, 'inspect-rights', rights, rightsView);
      }
      printResult(session, options, 'inspect', await inspect(at, session.flow).finally(close), (result, style) =>
        inspectionView(result, style, options.all === true),
      );
    });
}

function wantedOf({ sbom, provenance, rights, json, html }: Options): WantedPredicates | undefined {
  if (html !== undefined && (rights || provenance || sbom !== undefined)) {
    const other = rights ? '--rights' : provenance ? '--provenance' : '--sbom';
    throw usage('--html', `contradicts ${other}`, 'leave it out: the page shows that as well');
  }
  if (rights && (sbom !== undefined || provenance)) {
    throw usage('--rights', `contradicts ${provenance ? '--provenance' : '--sbom'}`, 'give one of them');
  }
  if (sbom === undefined && !provenance) return undefined;
  const option = provenance ? '--provenance' : '--sbom';
  if (json) throw usage('--json', `has no effect with ${option}, which prints JSON as it is`, 'leave it out');
  if (sbom !== undefined && provenance) throw usage('--sbom', 'contradicts --provenance', 'give one of them');
  if (provenance) return { kind: 'provenance' };
  return { kind: 'sbom', ...(typeof sbom === 'string' ? { image: sbom } : {}) };
}

/** Prints documents, each followed by a newline, and escapes control characters on a terminal. */
async function printPredicates(
  session: CommandSession,
  archive: string,
  options: Options,
  wanted: WantedPredicates,
): Promise<void> {
  const { stdout } = session.io;
  const { at, close } = await solutionPlace(session, archive, options);
  const print = async (predicate: Uint8Array): Promise<void> => {
    session.progress.end();
    const end = predicate.at(-1) === 0x0a ? '' : '\n';
    if (!stdout.isTTY) return stdout.send(Buffer.concat([predicate, Buffer.from(end)]));
    const lines = Buffer.from(predicate).toString('utf8').split('\n');
    stdout.write(`${lines.map((line) => line.split('\t').map(plain).join('\t')).join('\n')}${end}`);
  };
  await readPredicates(at, wanted, print, session.flow).finally(close);
}
