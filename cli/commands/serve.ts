import { Command } from 'commander';
import { SolpackError } from '../../lib/errors.ts';
import { lend } from '../../lib/flow.ts';
import { count, type Io, plain } from '../io.ts';
import { printLines } from '../output.ts';
import { absolute, type CommonOptions, listenAddress, sessionOf } from '../settings.ts';

interface Options extends CommonOptions {
  readonly configuration?: string;
  readonly listen: string;
}

/** `solpack serve`. */
export function serveCommand(io: Io): Command {
  return new Command('serve')
    .summary('serve the images of archives as a read-only OCI registry')
    .description(
      'Serves the images of archives as a read-only OCI registry, straight from the archives: nothing is copied.\nThe first line on stdout is its URL. Runs until it is interrupted.',
    )
    .argument('[archives...]', 'archives (.iso or .tar)')
    .option('-f, --configuration <file>', 'serve all archives that a SolutionsConfiguration names')
    .option('--listen <address>', 'HOST:PORT; port 0 is any free one', '127.0.0.1:5000')
    .addHelpText(
      'after',
      '\nExamples:\n  $ solpack serve guestbook-1.1.0.iso\n  $ skopeo copy --src-tls-verify=false docker://127.0.0.1:5000/guestbook/web:1.1.0 oci:web',
    )
    .action(async (archives: string[], options: Options) => {
      const session = sessionOf(io, options);
      const { serve } = await import('../../lib/serve/index.ts');
      const { configuredArchives } = await import('../../lib/install/index.ts');
      const configured =
        options.configuration === undefined ? [] : await configuredArchives(absolute(io, options.configuration));
      const paths = [...new Set([...archives.map((path) => absolute(io, path)), ...configured])];
      if (paths.length === 0) {
        throw new SolpackError('usage-invalid', 'serve', 'nothing to serve', {
          hint: 'name archives, or a SolutionsConfiguration with -f',
        });
      }
      await lend(
        await serve({ archives: paths, listen: listenAddress(options.listen) }, session.flow),
        async (serving) => {
          session.progress.end();
          printLines(
            io.stdout,
            options.json
              ? [JSON.stringify({ schemaVersion: 1, url: serving.url, images: serving.images })]
              : [
                  serving.url,
                  `serving ${count(serving.images.length, 'image')}:`,
                  ...serving.images.map((image) => `  ${plain(image)}`),
                ],
          );
          await untilAborted(io.signal);
        },
      );
    });
}

/** Resolves once the user wants the command to end. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) settle();
    else signal.addEventListener('abort', () => settle(), { once: true });
  });
}
