import { Command } from 'commander';
import { type DocPage, docPages, findDoc } from '../docs.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { markdownLines } from '../view/markdown.ts';
import { type Style, table } from '../view/style.ts';

/** Makes the command `solpack docs`. */
export function docsCommand(io: Io): Command {
  return new Command('docs')
    .summary('print a page of the documentation')
    .description(
      'Prints a page of the documentation of this version, or a section of one, for a terminal. Without a topic it lists all pages. ' +
        'It uses no network: the pages come with solpack. Where a message or a page names one, as docs/trust.md#policy, that is a topic.',
    )
    .argument('[topic]', 'a page, such as trust, or a section of one, such as trust#policy')
    .option('--markdown', 'print it as it was written')
    .addHelpText('after', help)
    .action(async (topic: string | undefined, options: DocsOptions) => {
      const session = commandSession(io, options);
      const { docFiles } = await import('../doc-files.ts');
      const files = await docFiles();
      if (topic === undefined) {
        const pages = docPages(files).map(({ name, title }) => ({ name, title }));
        printResult(session, options, 'docs', { pages }, listView);
        return;
      }
      const page = await findDoc(files, topic);
      const view = options.markdown ? ({ text }: DocPage) => text.trimEnd().split('\n') : pageView;
      printResult(session, options, 'docs', { pages: [page] }, ({ pages }, style) => view(pages[0]!, style));
    });
}

interface DocsOptions extends CommonOptions {
  readonly markdown?: true;
}

function listView({ pages }: { readonly pages: readonly Omit<DocPage, 'text'>[] }, style: Style): string[] {
  return [
    ...table(pages.map(({ name, title }) => [name, title])).map(
      (line) => style.bold(line.slice(0, line.indexOf(' '))) + line.slice(line.indexOf(' ')),
    ),
    '',
    '"solpack docs PAGE" prints one; "solpack explain FILE" lists the fields of a file, "solpack help COMMAND" the options of a command.',
  ];
}

function pageView({ text }: DocPage, style: Style): string[] {
  return markdownLines(text, style);
}

const help = `
Examples:
  $ solpack docs
  $ solpack docs trust | less
  $ solpack docs trust#policy
  $ solpack docs recipes --markdown > recipes.md`;
