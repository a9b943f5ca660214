import type { Term } from './notes.ts';
import type { HelpPage, Section } from './page.ts';

/** How many command lines a short page shows. */
const EXAMPLES = 3;

/** Options that every day needs, of commands that have more of them than anybody reads. Other commands tell all. */
const everyDay: Readonly<Record<string, readonly string[]>> = {
  agent: [
    ...['--config-map', '--archives', '--probes', '--key', '--policy', '--registry', '--served-at', '--hosts-dir'],
    ...[
      '--image-folder',
      '--kubeconfig',
      '--timeout',
      '--rollback-on-failure',
      '--manifests',
      '--image',
      '--namespace',
    ],
  ],
  install: [
    ...['--configuration', '--yes', '--allow-removal', '--key', '--policy', '--registry', '--served-at', '--hosts-dir'],
    ...['--image-folder', '--containerd', '--kubeconfig', '--timeout', '--rollback-on-failure', '--render'],
    ...['--images-only', '--plan'],
  ],
  load: [
    ...['--kubeconfig', '--variable', '--wait-for-cluster', '--timeout', '--images', '--registry', '--served-at'],
    ...['--hosts-dir', '--key', '--policy', '--render', '--plan'],
  ],
  seed: [
    ...['--configuration', '--key', '--policy', '--registry', '--hosts-dir', '--image-folder', '--containerd', '--pin'],
    ...['--kubeconfig', '--timeout', '--plan'],
  ],
};

/** Returns the names of options of a command that its short page tells; undefined where it has none, and tells all. */
export function everyDayOptions(command: string): readonly string[] | undefined {
  return Object.hasOwn(everyDay, command) ? everyDay[command] : undefined;
}

/** Returns a page with what every day needs of it, and the command that prints all. Files that it explains go too. */
export function everyDayPage(page: HelpPage): HelpPage {
  const [program, command = ''] = page.name.split(' ');
  const listed = everyDayOptions(command);
  if (listed === undefined) return page;
  const sections = page.sections.flatMap((section): Section[] => {
    if ('verbatim' in section) return [];
    if ('examples' in section) return [{ ...section, examples: section.examples.slice(0, EXAMPLES) }];
    if (!('terms' in section) || isOther(section)) return [section];
    const terms = section.terms.filter(({ term }) => isInTerms(term, listed));
    return terms.length === 0 ? [] : [{ ...section, terms }];
  });
  const text = `These are the common options. "${program} ${command} --help=all" prints all.`;
  return { ...page, sections: [...sections, { title: '', text }] };
}

/** Whether a group is of arguments, variables and the like, and not of options. */
function isOther({ terms }: { readonly terms: readonly Term[] }): boolean {
  return terms.every(({ term }) => !term.startsWith('-'));
}

function isInTerms(flags: string, listed: readonly string[]): boolean {
  return flags.split(/[ ,]+/).some((word) => listed.includes(word));
}
